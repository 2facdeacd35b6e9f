-- Leases the heads of lanes that are ready: "ok" or "stale", when the next is ready, and the entries.
local fence, now, lease_until, limit = take(), take(), take(), take()
if call('GET', P .. 'epoch') ~= fence then return { 'stale' } end
local found = { 'ok', '' }
for _, lane in ipairs(call('ZRANGEBYSCORE', P .. 'q', '-inf', now, 'LIMIT', 0, limit)) do
  local head = call('ZRANGE', P .. 'l:' .. lane, 0, 0)[1]
  local key = head and P .. 'o:' .. head
  if head and call('EXISTS', key) == 1 then
    call('HSET', key, 'lease', lease_until)
    call('ZADD', P .. 'q', lease_until, lane)
    local entry = call('HMGET', key, 'due', 'n', 'm', 'b', 'e')
    found[#found + 1] = { head, entry[1], entry[2], entry[3] or '', entry[4] or '', entry[5] or '' }
  else
    touch(lane)
  end
end
found[2] = next_ready()
return found
