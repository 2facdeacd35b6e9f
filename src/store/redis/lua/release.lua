-- Ends the leases of outbox entries; gives their number.
local fence = take()
if call('GET', P .. 'epoch') ~= fence then return 0 end
local ended = 0
for _, lane in ipairs(call('ZRANGE', P .. 'q', 0, -1)) do
  for _, entry in ipairs(call('ZRANGE', P .. 'l:' .. lane, 0, -1)) do
    if call('HGET', P .. 'o:' .. entry, 'lease') ~= '0' then
      call('HSET', P .. 'o:' .. entry, 'lease', '0')
      ended = ended + 1
    end
  end
  touch(lane)
end
return ended
