-- Counts what waits: open events and the id of the first, entries and the number of the first, dead letters.
local first = call('XRANGE', P .. 'in', '-', '+', 'COUNT', 1)[1]
local waiting, oldest = 0, nil
for _, lane in ipairs(call('ZRANGE', P .. 'q', 0, -1)) do
  local entries = P .. 'l:' .. lane
  waiting = waiting + call('ZCARD', entries)
  local number = call('ZRANGE', entries, 0, 0, 'WITHSCORES')[2]
  if number and (not oldest or tonumber(number) < oldest) then oldest = tonumber(number) end
end
oldest = oldest and string.format('%.0f', oldest) or ''
return { call('XLEN', P .. 'in'), first and first[1] or '', waiting, oldest, call('ZCARD', P .. 'ox') }
