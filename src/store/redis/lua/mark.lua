-- Notes how a delivery ended: 0 where there is no such entry, and when the next lane is ready.
local entry, verdict, now, at, why, ttl = take(), take(), take(), take(), take(), take()
local key = P .. 'o:' .. entry
local known = call('HMGET', key, 'st', 'lane', 'seq', 'p')
local state, lane = known[1], known[2]
if not state then return { '0', '' } end
if verdict == 'done' then
  call('HSET', key, 'st', 'd', 'at', now, 'e', '')
  call('HDEL', key, 'b')
  call('ZREM', P .. 'l:' .. lane, entry)
  call('ZREM', P .. 'ox', entry)
  call('ZADD', P .. 'od', now, entry)
  call('PEXPIRE', key, ttl)
  touch(lane)
elseif state == 'w' then
  if verdict ~= 'hold' then call('HINCRBY', key, 'n', 1) end
  if verdict ~= 'dead' then
    call('HSET', key, 'due', at, 'lease', '0', 'at', now, 'e', why)
  else
    call('HSET', key, 'st', 'x', 'lease', '0', 'at', now, 'e', why)
    call('ZREM', P .. 'l:' .. lane, entry)
    call('ZADD', P .. 'ox', known[3], entry)
    if known[4] ~= '' then call('PERSIST', P .. 'p:' .. known[4]) end
  end
  touch(lane)
end
return { '1', next_ready() }
