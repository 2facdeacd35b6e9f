-- Keeps a note in place of the one before, or takes it away where it has no body.
local note, person, at, body, ttl = take(), take(), take(), take(), take()
local key = P .. 'n:' .. note
local before = call('HGET', key, 'p')
if before and before ~= person then forget(before, 'n' .. note) end
if body == '' then
  forget(person, 'n' .. note)
  call('ZREM', P .. 'na', note)
  return call('DEL', key)
end
call('HSET', key, 'b', body, 'p', person)
if person == '' then
  call('PERSIST', key)
  call('ZREM', P .. 'na', note)
else
  call('PEXPIRE', key, ttl)
  call('ZADD', P .. 'na', at, note)
  remember(person, 'n' .. note)
  belong()
end
return 1
