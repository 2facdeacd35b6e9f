-- Renews the lease of a partition, or takes it where it is wanted and free: the fence that is held now, or nothing.
local replica, fence, wanted, ttl = take(), take(), take(), take()
local epoch, lease = call('GET', P .. 'epoch'), call('GET', P .. 'lease')
if fence ~= '' and epoch == fence then
  call('SET', P .. 'lease', fence, 'PX', ttl)
  return fence
end
-- A replica started again under its old name need not wait for its old lease to end.
local own = lease and lease:sub(lease:find(' ') + 1) == replica
if wanted ~= '1' or (lease and not own) then return '' end
local number = epoch and tonumber(epoch:match('^%d+')) or 0
fence = string.format('%.0f %s', number + 1, replica)
call('SET', P .. 'epoch', fence)
call('SET', P .. 'lease', fence, 'PX', ttl)
return fence
