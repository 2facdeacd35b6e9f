-- The numbers of waiting entries, as many as asked for of each lane.
local limit = tonumber(take())
local found = {}
for _, lane in ipairs(call('ZRANGE', P .. 'q', 0, -1)) do
  local entries = call('ZRANGE', P .. 'l:' .. lane, 0, limit - 1, 'WITHSCORES')
  for no = 1, #entries do found[#found + 1] = entries[no] end
end
return found
