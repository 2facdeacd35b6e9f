-- Notes which forms a replica serves; gives what other living replicas serve where it differs.
-- KEYS[1] is the hash of replica -> when, and what.
local replica, forms, ttl = take(), take(), tonumber(take())
clear(P, 'hash')
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
call('HSET', P, replica, string.format('%.0f ', now) .. forms)
call('PEXPIRE', P, ttl)
local others, rows = {}, call('HGETALL', P)
for at = 1, #rows, 2 do
  local since, theirs = rows[at + 1]:match('^(%d+) (.*)$')
  if not since or now - tonumber(since) > ttl then
    call('HDEL', P, rows[at])
  elseif theirs ~= forms then
    others[#others + 1] = theirs
  end
end
return others
