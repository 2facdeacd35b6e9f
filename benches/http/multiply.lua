-- Copies a session, in its partition, under names numbered from ARGV[1] to ARGV[2]. KEYS[1] is the session's.
local partition, name = KEYS[1]:match('^(.*:)s:(%x+)$')
local body, ttl = redis.call('DUMP', KEYS[1]), redis.call('PTTL', KEYS[1])
local expires = redis.call('ZSCORE', partition .. 'x', name)
for no = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local copy = name:sub(1, 4) .. string.format('%028d', no)
  redis.call('RESTORE', partition .. 's:' .. copy, ttl, body)
  redis.call('ZADD', partition .. 'x', expires, copy)
end
return 'OK'
