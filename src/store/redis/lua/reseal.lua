-- Puts values that were sealed anew in the place of those before, unless these were changed meanwhile; gives how many.
local key, put = P .. take(), 0
for _ = 1, tonumber(take()) do
  local field, before, after = take(), take(), take()
  if call('HGET', key, field) == before then
    call('HSET', key, field, after)
    put = put + 1
  end
end
return put
