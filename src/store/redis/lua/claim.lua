-- Renews the lease of a partition, or takes it where it is wanted and free: the fence that is held now, or nothing; and "1"
-- where a lease or an epoch could not be read and was made anew.
local replica, fence, wanted, ttl = take(), take(), take(), take()
local cleared = clear(P .. 'epoch', 'string') + clear(P .. 'lease', 'string')
local epoch, lease = call('GET', P .. 'epoch'), call('GET', P .. 'lease')
local number, holder = epoch and epoch:match('^(%d+) '), lease and lease:match('^%d+ (.+)$')
-- A lease that names nobody is nobody's.
if (epoch and not number) or (lease and not holder) then cleared = 1 end
local mended = cleared > 0 and '1' or ''
if fence ~= '' and epoch == fence then
  call('SET', P .. 'lease', fence, 'PX', ttl)
  return { fence, mended }
end
-- A replica started again under its old name need not wait for its old lease to end.
if wanted ~= '1' or (holder and holder ~= replica) then return { '', mended } end
-- Where the last number is not known, the time is beyond it: numbers grow by one.
local last = tonumber(number or '0')
if cleared > 0 then last = math.max(last, tonumber(call('TIME')[1])) end
fence = string.format('%.0f %s', last + 1, replica)
call('SET', P .. 'epoch', fence)
call('SET', P .. 'lease', fence, 'PX', ttl)
return { fence, mended }
