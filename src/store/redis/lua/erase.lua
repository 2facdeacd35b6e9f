-- Removes some of what is a person's: those of their members that match, from a cursor on. The session that is spared stays,
-- with its events. Gives the next cursor, whether anything was done, how many members are left, how many records were removed (sessions, events, entries, dead
-- letters, submissions, notes, what a model answered), the submissions by name and body, and the heads of entries that had
-- not arrived.
local person, cursor, pattern, count, spare = take(), take(), take(), take(), take()
local sessions, seen_events, entries, dead, submissions, notes, answers = 0, 0, 0, 0, 0, 0, 0
local told, undelivered, one = {}, {}, nil
-- Most events of one session that are removed at once.
local EVENTS = 500

local function open_event(name)
  local session, event = name:sub(1, 32), name:sub(34)
  if session == spare then return false end
  local events = P .. 'e:' .. session
  local seen = call('HGET', events, event)
  if not seen or seen:sub(1, 1) ~= 'o' then return true end
  close(events, name, seen)
  seen_events = seen_events + call('HDEL', events, event)
  return true
end

local function all_events(session)
  local events = P .. 'e:' .. session
  local names = call('HLEN', events) > EVENTS and call('HRANDFIELD', events, EVENTS) or call('HKEYS', events)
  for _, event in ipairs(names) do
    if event:sub(1, 1) ~= '#' then
      seen_events = seen_events + 1
      close(events, session .. ':' .. event, call('HGET', events, event))
      call('ZREM', P .. 'd', session .. ':' .. event)
      call('HDEL', events, event)
    end
  end
  -- What counts the events is left to the last.
  if #names == EVENTS then return false end
  answers = answers + call('HLEN', P .. 'a:' .. session)
  call('DEL', events, P .. 'a:' .. session)
  return true
end

local function entry(name)
  local key = P .. 'o:' .. name
  local known = call('HMGET', key, 'lane', 'st', 'm')
  local lane = known[1]
  if not lane then return true end
  call('DEL', key)
  if known[2] == 'x' then dead = dead + 1 else entries = entries + 1 end
  if known[2] ~= 'd' then undelivered[#undelivered + 1] = { name, known[3] or '' } end
  call('ZREM', P .. 'l:' .. lane, name)
  call('ZREM', P .. 'od', name)
  call('ZREM', P .. 'ox', name)
  touch(lane)
  return true
end

local function submission(name, of)
  local key = P .. 'u:' .. name
  local row = call('HMGET', key, 'f', 'p', 'b')
  if not row[1] then return true end
  submissions = submissions + call('DEL', key)
  told[#told + 1] = { name, row[3] or '' }
  call('ZREM', P .. 'us', name)
  call('ZREM', P .. 'uf:' .. row[1], name)
  each_person(row[2], function(other)
    if other ~= of then forget(other, 'u' .. name) end
  end)
  return true
end

-- One whom a client speaks for goes whole: submissions first, so that none that is still on its way counts as delivered.
local function somebody(other)
  local members, left = call('SMEMBERS', P .. 'p:' .. other), 0
  for _, first in ipairs({ true, false }) do
    for _, member in ipairs(members) do
      local kind = member:sub(1, 1)
      if kind ~= 'c' and (kind == 'u') == first and not one(member, other) then left = left + 1 end
    end
  end
  if left == 0 then call('DEL', P .. 'p:' .. other) end
  return left == 0
end

-- Removes what a member names; false where some of it is left.
one = function(member, of)
  local kind, name = member:sub(1, 1), member:sub(2)
  if kind == 's' then
    if name == spare then return false end
    sessions = sessions + drop_session(name)
  elseif kind == 'k' then
    if name == spare then return false end
    local done = all_events(name)
    sessions = sessions + drop_session(name)
    return done
  elseif kind == 'e' then
    return open_event(name)
  elseif kind == 'o' then
    return entry(name)
  elseif kind == 'u' then
    return submission(name, of)
  elseif kind == 'n' then
    call('ZREM', P .. 'na', name)
    notes = notes + call('DEL', P .. 'n:' .. name)
  elseif kind == 'm' then
    return somebody(name)
  end
  return true
end

local mine, worked = P .. 'p:' .. person, 0
local found = call('SSCAN', mine, cursor, 'MATCH', pattern, 'COUNT', count)
for _, member in ipairs(found[2]) do
  -- Whose a person is, is asked as long as anything of theirs is left.
  if member:sub(1, 1) ~= 'c' then
    local before = sessions + seen_events
    local done = one(member, person)
    if done then call('SREM', mine, member) end
    if done or sessions + seen_events > before then worked = 1 end
  end
end
no_more(person)
return {
  found[1], worked, call('SCARD', mine), { sessions, seen_events, entries, dead, submissions, notes, answers }, told, undelivered,
}
