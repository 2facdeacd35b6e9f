-- Forgets what is old, at most so many of each kind: how many records, and 1 where there is more.
local before, notes_before, limit = take(), take(), tonumber(take())
local removed, more = 0, 0

local function old(index, time)
  local found = call('ZRANGEBYSCORE', P .. index, '-inf', '(' .. time, 'LIMIT', 0, limit)
  if #found == limit then more = 1 end
  for _, name in ipairs(found) do call('ZREM', P .. index, name) end
  return found
end

for _, name in ipairs(old('d', before)) do
  local session = name:sub(1, 32)
  local events = P .. 'e:' .. session
  removed = removed + call('HDEL', events, name:sub(34))
  local meta = call('HMGET', events, '#o', '#p')
  local left = call('HLEN', events) - (meta[1] and 1 or 0) - (meta[2] and 1 or 0)
  if left == 0 then
    call('DEL', events)
    if meta[2] then forget(meta[2], 'k' .. session) end
  end
end
for _, name in ipairs(old('od', before)) do
  local person = call('HGET', P .. 'o:' .. name, 'p')
  if person then forget(person, 'o' .. name) end
  removed = removed + call('DEL', P .. 'o:' .. name)
end
for _, name in ipairs(old('na', notes_before)) do
  local person = call('HGET', P .. 'n:' .. name, 'p')
  if person then forget(person, 'n' .. name) end
  removed = removed + call('DEL', P .. 'n:' .. name)
end
return { removed, more }
