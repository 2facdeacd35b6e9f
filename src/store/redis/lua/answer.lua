-- Keeps what a model answered.
local session, of, owner, body, ttl = take(), take(), take(), take(), take()
call('HSET', P .. 'a:' .. session, of, body)
call('PEXPIRE', P .. 'a:' .. session, ttl)
remember(owner, 'k' .. session)
belong()
return 1
