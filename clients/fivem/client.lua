--[[
The player's side: takes the picture and sends it to the address that the server gave for this one picture. The key of the
server never comes here.
]]

local ANSWER_TIMEOUT = 60000

local waiting = {}
local requests = 0

local function await_answer(request)
  local answered = promise.new()
  waiting[request] = answered
  SetTimeout(ANSWER_TIMEOUT, function()
    if waiting[request] then waiting[request]:resolve({ problem = 'The game server did not answer.' }) end
  end)
  local answer = Citizen.Await(answered)
  waiting[request] = nil
  return answer
end

-- Takes a picture of what this player sees. Returns { url, id, status, data = { id, url } }; raises what went wrong.
-- `metadata` is taken for the sake of older scripts; Fundus stores files, not descriptions.
exports('takeImage', function(metadata)
  requests = requests + 1
  TriggerServerEvent('fundus:takeImage', requests, metadata)
  local answer = await_answer(requests)
  if answer.problem then error(answer.problem, 0) end
  return answer.image
end)

RegisterNetEvent('fundus:imageTaken', function(request, answer)
  if waiting[request] then waiting[request]:resolve(answer) end
end)

-- `order.address` is good for one picture under a path that the server chose.
RegisterNetEvent('fundus:sendPicture', function(request, order)
  if GetResourceState(order.taker) ~= 'started' then
    TriggerServerEvent('fundus:pictureSent', request, 'The resource ' .. order.taker .. ' is not started.')
    return
  end
  local options = { encoding = order.encoding, quality = order.quality }
  exports[order.taker]:requestScreenshotUpload(order.address, 'file', options, function(answer)
    local read, value = pcall(json.decode, answer)
    local problem = not (read and type(value) == 'table' and value.url) and (read and value and value.error or 'No answer.')
    TriggerServerEvent('fundus:pictureSent', request, problem or nil)
  end)
end)
