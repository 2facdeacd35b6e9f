-- Tries whatever is used of the server, on a key of its own: gives what this user may not run.
local probe, missing = P .. 'rights', {}
local tries = {
  { 'DEL', probe }, { 'EXISTS', probe }, { 'GET', probe }, { 'HDEL', probe, 'a' }, { 'HGET', probe, 'a' },
  { 'HGETALL', probe }, { 'HINCRBY', probe, 'a', '1' }, { 'HKEYS', probe }, { 'HLEN', probe }, { 'HMGET', probe, 'a' },
  { 'HRANDFIELD', probe, '1' },  { 'HSET', probe, 'a', 'b' }, { 'HSETNX', probe, 'a', 'b' }, { 'PERSIST', probe }, { 'PEXPIRE', probe, '1000' },
  { 'PTTL', probe }, { 'PUBLISH', probe, '' }, { 'SADD', probe, 'a' }, { 'SCAN', '0', 'COUNT', '1' }, { 'SCARD', probe },
  { 'SET', probe, 'a', 'NX' }, { 'SMEMBERS', probe }, { 'SREM', probe, 'a' },
  { 'SSCAN', probe, '0' }, { 'TIME' }, { 'TYPE', probe },
  { 'XADD', probe, '*', 'a', 'b' }, { 'XDEL', probe, '1-1' }, { 'XLEN', probe }, { 'XRANGE', probe, '-', '+' },
  { 'ZADD', probe, '1', 'a' }, { 'ZCARD', probe }, { 'ZRANGE', probe, '0', '0' }, { 'ZRANGEBYSCORE', probe, '1', '1' },
  { 'ZREM', probe, 'a' }, { 'ZREMRANGEBYSCORE', probe, '1', '1' },
}
for _, try in ipairs(tries) do
  -- Another answer, that the key is of another type, tells that it may be run.
  local told = redis.pcall(unpack(try))
  local why = type(told) == 'table' and told.err or ''
  if why:find('NOPERM', 1, true) or why:find("The user executing the script can't", 1, true) then
    missing[#missing + 1] = try[1]
  end
end
redis.pcall('DEL', probe)
return missing
