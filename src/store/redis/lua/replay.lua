-- Makes a dead letter due again: 0 where there is no such dead letter, and when the next lane is ready.
local entry, now = take(), take()
if call('HGET', P .. 'o:' .. entry, 'st') ~= 'x' then return { '0', '' } end
revive(entry, now, now)
return { '1', next_ready() }
