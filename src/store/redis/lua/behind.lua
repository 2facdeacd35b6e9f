-- The waiting entries of a lane behind one.
local entry, lane = take(), take()
local after = call('HGET', P .. 'o:' .. entry, 'seq')
local found = {}
if not after then return found end
for _, later in ipairs(call('ZRANGEBYSCORE', P .. 'l:' .. lane, '(' .. after, '+inf')) do
  local row = call('HMGET', P .. 'o:' .. later, 'due', 'n', 'm', 'b', 'e')
  found[#found + 1] = { later, row[1] or '', row[2] or '', row[3] or '', row[4] or '', row[5] or '' }
end
return found
