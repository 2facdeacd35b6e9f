-- Removes everything of a person; gives how many records: sessions, events, entries, dead letters, submissions, notes, what
-- a model answered.
local person = take()
local sessions, seen_events, entries, dead, submissions, notes, answers = 0, 0, 0, 0, 0, 0, 0

local function open_event(name)
  local session, event = name:sub(1, 32), name:sub(34)
  local events = P .. 'e:' .. session
  local seen = call('HGET', events, event)
  if not seen or seen:sub(1, 1) ~= 'o' then return end
  close(events, name, seen)
  seen_events = seen_events + call('HDEL', events, event)
end

local function all_events(session)
  local events = P .. 'e:' .. session
  local rows = call('HGETALL', events)
  for at = 1, #rows, 2 do
    if rows[at]:sub(1, 1) ~= '#' then
      seen_events = seen_events + 1
      close(events, session .. ':' .. rows[at], rows[at + 1])
      call('ZREM', P .. 'd', session .. ':' .. rows[at])
    end
  end
  answers = answers + call('HLEN', P .. 'a:' .. session)
  call('DEL', events, P .. 'a:' .. session)
end

local function entry(name)
  local key = P .. 'o:' .. name
  local known = call('HMGET', key, 'lane', 'st')
  local lane = known[1]
  if not lane then return end
  call('DEL', key)
  if known[2] == 'x' then dead = dead + 1 else entries = entries + 1 end
  call('ZREM', P .. 'l:' .. lane, name)
  call('ZREM', P .. 'od', name)
  call('ZREM', P .. 'ox', name)
  touch(lane)
end

local function submission(name)
  local key = P .. 'u:' .. name
  local row = call('HMGET', key, 'f', 'p')
  if not row[1] then return end
  submissions = submissions + call('DEL', key)
  call('ZREM', P .. 'us', name)
  call('ZREM', P .. 'uf:' .. row[1], name)
  each_person(row[2], function(other) forget(other, 'u' .. name) end)
end

for _, member in ipairs(call('SMEMBERS', P .. 'p:' .. person)) do
  local kind, name = member:sub(1, 1), member:sub(2)
  if kind == 's' then
    sessions = sessions + drop_session(name)
  elseif kind == 'k' then
    sessions = sessions + drop_session(name)
    all_events(name)
  elseif kind == 'e' then
    open_event(name)
  elseif kind == 'o' then
    entry(name)
  elseif kind == 'u' then
    submission(name)
  elseif kind == 'n' then
    call('ZREM', P .. 'na', name)
    notes = notes + call('DEL', P .. 'n:' .. name)
  end
end
call('DEL', P .. 'p:' .. person)
return { sessions, seen_events, entries, dead, submissions, notes, answers }
