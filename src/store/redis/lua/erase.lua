-- Removes everything of a person; gives how many records.
local person = take()
local removed = 0

local function open_event(name)
  local session, event = name:sub(1, 32), name:sub(34)
  local events = P .. 'e:' .. session
  local seen = call('HGET', events, event)
  if not seen or seen:sub(1, 1) ~= 'o' then return end
  close(events, name, seen)
  removed = removed + call('HDEL', events, event)
end

local function all_events(session)
  local events = P .. 'e:' .. session
  local rows = call('HGETALL', events)
  for at = 1, #rows, 2 do
    if rows[at]:sub(1, 1) ~= '#' then
      removed = removed + 1
      close(events, session .. ':' .. rows[at], rows[at + 1])
    end
  end
  call('DEL', events, P .. 'a:' .. session)
end

local function entry(name)
  local key = P .. 'o:' .. name
  local lane = call('HGET', key, 'lane')
  if not lane then return end
  removed = removed + call('DEL', key)
  call('ZREM', P .. 'l:' .. lane, name)
  call('ZREM', P .. 'od', name)
  call('ZREM', P .. 'ox', name)
  touch(lane)
end

local function submission(name)
  local key = P .. 'u:' .. name
  local row = call('HMGET', key, 'f', 'p')
  if not row[1] then return end
  removed = removed + call('DEL', key)
  call('ZREM', P .. 'us', name)
  call('ZREM', P .. 'uf:' .. row[1], name)
  each_person(row[2], function(other) forget(other, 'u' .. name) end)
end

for _, member in ipairs(call('SMEMBERS', P .. 'p:' .. person)) do
  local kind, name = member:sub(1, 1), member:sub(2)
  if kind == 's' then
    removed = removed + drop_session(name)
  elseif kind == 'k' then
    removed = removed + drop_session(name)
    all_events(name)
  elseif kind == 'e' then
    open_event(name)
  elseif kind == 'o' then
    entry(name)
  elseif kind == 'u' then
    submission(name)
  elseif kind == 'n' then
    call('ZREM', P .. 'na', name)
    removed = removed + call('DEL', P .. 'n:' .. name)
  end
end
call('DEL', P .. 'p:' .. person)
return removed
