-- Writes a turn whole, or not at all: "done", "mine", "conflict", "stale", with when the next lane is ready.
local fence, session, version, new_version, turn, now = take(), take(), take(), take(), take(), take()
local events, row = P .. 'e:' .. session, P .. 's:' .. session
if call('GET', P .. 'epoch') ~= fence then return { 'stale' } end

local has_event, worked_on = take() == '1', {}
for no = 1, tonumber(take()) do
  local event, replies = take(), take()
  worked_on[no] = { event, replies, call('HGET', events, event) }
end
local first = has_event and worked_on[1][3]
if first and first:sub(1, 1) == 'd' then
  return { first:sub(2, 33) == turn and 'mine' or 'conflict' }
end
local present = call('HMGET', row, 'v', 't', 'p')
if present[2] == turn then return { 'mine' } end
if (present[1] or '0') ~= version then return { 'conflict' } end

local owner = take()
local has_session, body, key, expires, ttl, persons = take() == '1', nil, nil, nil, nil, nil
if has_session then body, key, expires, ttl, persons = take(), take(), take(), take(), take() end
local events_ttl = #worked_on > 0 and take()
local entries, submissions = tonumber(take()), tonumber(take())

-- Redis takes nothing back when a script fails in the middle. So what is shared by all sessions is read before anything
-- is written: a key of another type fails here. And what names the turn is written after all that leaves: a turn that was
-- written by half is not "mine", and is written again whole. Entries and submissions that are there already stay.
local model, seq = P .. 'a:' .. session, call('GET', P .. 'seq')
for _, sorted in ipairs({ 'x', 'd', 'q', 'us', 'ox' }) do call('ZCARD', P .. sorted) end
call('XLEN', P .. 'in')
local answered = has_event and call('HKEYS', model) or {}

-- What leaves, and what is kept for good, in the order of all partitions.
if entries + submissions > 0 then
  local time = call('TIME')
  seq = math.max(time[1] * 1000000 + time[2], tonumber(seq or '0') + 1)
  local function number()
    seq = seq + 1
    return string.format('%.0f', seq)
  end
  for _ = 1, entries do
    local entry, lane, due, attempts = take(), take(), take(), take()
    local person, head, parcel, why = take(), take(), take(), take()
    local at = P .. 'o:' .. entry
    local state = call('HGET', at, 'st')
    if not state then
      local no = number()
      call('HSET', at, 'st', 'w', 'lane', lane, 'due', due, 'lease', '0', 'n', attempts, 'seq', no, 'at', now,
        'p', person, 'm', head, 'b', parcel, 'e', why)
      call('ZADD', P .. 'l:' .. lane, no, entry)
      remember(person, 'o' .. entry)
      touch(lane)
    elseif state == 'x' then
      revive(entry, due, now)
    end
  end
  for _ = 1, submissions do
    local submission, form, who, told = take(), take(), take(), take()
    local at = P .. 'u:' .. submission
    if call('EXISTS', at) == 0 then
      local no = number()
      call('ZADD', P .. 'us', no, submission)
      call('ZADD', P .. 'uf:' .. form, no, submission)
      call('HSET', at, 'b', told, 'f', form, 'p', who)
      each_person(who, function(person)
        remember(person, 'u' .. submission)
        call('PERSIST', P .. 'p:' .. person)
      end)
    end
  end
  call('SET', P .. 'seq', string.format('%.0f', seq))
end

if has_session then
  call('ZADD', P .. 'x', expires, session)
  if present[3] and present[3] ~= persons then
    each_person(present[3], function(person) forget(person, 's' .. session) end)
  end
  each_person(persons, function(person) remember(person, 's' .. session) end)
  call('HSET', row, 'v', new_version, 't', turn, 'x', expires, 'b', body, 'p', persons)
  if key ~= '' then call('HSET', row, 'k', key) end
  call('PEXPIRE', row, ttl)
else
  drop_session(session)
end

-- The events, and what a model answered to the one that was worked on.
for _, one in ipairs(worked_on) do
  local name = session .. ':' .. one[1]
  close(events, name, one[3])
  call('HSET', events, one[1], 'd' .. turn .. one[2], '#p', owner)
  call('ZADD', P .. 'd', now, name)
end
if events_ttl then
  keep_events(events, events_ttl)
  remember(owner, 'k' .. session)
end
for _, call_of in ipairs(answered) do
  if call_of:sub(1, 32) == worked_on[1][1] then call('HDEL', model, call_of) end
end
belong()
return { 'done', entries + submissions > 0 and next_ready() or '' }
