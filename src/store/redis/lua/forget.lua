-- Forgets submissions and dead letters by their names; gives how many records.
local removed = 0
for _ = 1, tonumber(take()) do
  local name = take()
  local key = P .. 'u:' .. name
  local row = call('HMGET', key, 'f', 'p')
  if row[1] then
    removed = removed + call('DEL', key)
    call('ZREM', P .. 'us', name)
    call('ZREM', P .. 'uf:' .. row[1], name)
    each_person(row[2], function(person) forget(person, 'u' .. name) end)
  end
end
for _ = 1, tonumber(take()) do
  local name = take()
  local key = P .. 'o:' .. name
  local known = call('HMGET', key, 'st', 'p')
  if known[1] == 'x' then
    removed = removed + call('DEL', key)
    call('ZREM', P .. 'ox', name)
    forget(known[2], 'o' .. name)
  end
end
return removed
