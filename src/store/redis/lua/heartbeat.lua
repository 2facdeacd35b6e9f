-- Tells that a replica lives, or that it is about to end; gives the living. KEYS[1] is the set of replicas.
local replica, ends, ttl = take(), take(), tonumber(take())
clear(P, 'zset')
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ends == '1' then
  call('ZREM', P, replica)
else
  call('ZADD', P, string.format('%.0f', now), replica)
end
call('ZREMRANGEBYSCORE', P, '-inf', string.format('%.0f', now - ttl))
call('PEXPIRE', P, ttl * 2)
return call('ZRANGE', P, 0, -1)
