-- Stores an event unless it was stored before: "new", or how it is kept.
local session, event, body, person, owner = take(), take(), take(), take(), take()
local news, partition = take(), take()
local events = P .. 'e:' .. session
local seen = call('HGET', events, event)
if seen then return { 'seen', seen } end
local id = call('XADD', P .. 'in', '*', 'h', session, 'e', event, 'b', body)
-- Whose event it is, where that is not whose session it is.
local foreign = person ~= owner and person or string.rep('-', 32)
call('HSET', events, event, 'o' .. foreign .. id, '#p', owner)
call('HINCRBY', events, '#o', 1)
call('PERSIST', events)
remember(owner, 'k' .. session)
if person ~= owner then remember(person, 'e' .. session .. ':' .. event) end
belong()
if news ~= '' then call('PUBLISH', news, partition) end
return { 'new' }
