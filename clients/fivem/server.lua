--[[
The server's side: asks Fundus for an address that takes one picture, hands it to the player, and looks afterwards whether
the picture is there. The key stays here. Names and answers of the exports are those that scripts of Fivemanage's SDK call.
]]

local fundus = load(LoadResourceFile(GetCurrentResourceName(), 'fundus.lua'), '@fundus.lua')()

local FILE_TYPES = { image = 'bilder', video = 'video', audio = 'audio' }
local MINUTE = 60000

local function setting(name, default)
  return GetConvar('fundus_' .. name, tostring(default))
end

local function number(name, default)
  return tonumber(setting(name, default)) or default
end

local client

-- Made at the first use, so that a server.cfg may set the values after `ensure fundus`.
local function connected()
  if client then return client end
  local url, key = setting('url', ''), setting('key', '')
  if url == '' or key == '' then error('Set fundus_url and fundus_key in server.cfg.', 0) end
  client = fundus.new({ url = url, token = key, transport = fundus.fivem() })
  return client
end

-- Calls a method of the client and waits for its answer; raises the sentence of a refusal.
local function call(method, ...)
  local answered = promise.new()
  local arguments = { ... }
  arguments[#arguments + 1] = function(problem, answer)
    answered:resolve({ problem = problem, answer = answer })
  end
  local caller = connected()
  caller[method](caller, table.unpack(arguments))
  local result = Citizen.Await(answered)
  if result.problem then error(result.problem.message, 0) end
  return result.answer
end

-- Both shapes that scripts read: `image.url` and `image.data.url`.
local function image_of(id, url)
  return { id = id, url = url, status = 'ok', data = { id = id, url = url } }
end

-- Pictures of players ------------------------------------------------------------------------------------------------

local pending = {}
local requests = 0

local function new_path(encoding)
  local folder = setting('folder', 'players'):gsub('^/+', ''):gsub('/+$', '')
  local name = ('%08x%08x'):format(math.random(0, 0x7fffffff), math.random(0, 0x7fffffff))
  return ('%s/%s/%s.%s'):format(folder, os.date('!%Y-%m-%d'), name, encoding)
end

local function await_picture(player, order, timeout)
  requests = requests + 1
  local request = requests
  local sent = promise.new()
  pending[request] = { player = tostring(player), sent = sent }
  SetTimeout(timeout, function()
    sent:resolve('The player has sent no picture in time.')
  end)
  TriggerClientEvent('fundus:sendPicture', player, request, order)
  local problem = Citizen.Await(sent)
  pending[request] = nil
  return problem
end

RegisterNetEvent('fundus:pictureSent', function(request, problem)
  local expected = pending[request]
  -- What a player's machine says is only believed of its own picture, and checked by asking Fundus.
  if not expected or expected.player ~= tostring(source) then return end
  expected.sent:resolve(problem and tostring(problem):sub(1, 200) or false)
end)

local function take_image(player, timeout)
  if not player or GetPlayerName(player) == nil then error('There is no such player.', 0) end
  local encoding = setting('encoding', 'webp')
  local path = new_path(encoding)
  timeout = tonumber(timeout) or number('timeout', 10000)
  local ticket = call('ticket', {
    pfad = path,
    arten = { FILE_TYPES.image },
    max_bytes = number('max_bytes', 16777216),
    gueltig_s = math.ceil(timeout / 1000) + 5,
  })
  local problem = await_picture(player, {
    address = ticket.url,
    taker = setting('taker', 'screenshot-basic'),
    encoding = encoding,
    quality = number('quality', 0.85),
  }, timeout)
  local stored = call('exists', path)
  if not stored.exists then error(problem or 'The player has sent no picture.', 0) end
  return image_of(stored.path, stored.url)
end

-- Takes a picture of what a player sees. Milliseconds; without them `fundus_timeout`.
exports('takeServerImage', function(player, metadata, timeout)
  return take_image(player, timeout)
end)

-- A player's machine may ask for pictures of itself only, and not without end.
local asked = {}

local function may_ask(player)
  local now = GetGameTimer()
  local recent = {}
  for _, at in ipairs(asked[player] or {}) do
    if now - at < MINUTE then recent[#recent + 1] = at end
  end
  asked[player] = recent
  if #recent >= number('per_minute', 12) then return false end
  recent[#recent + 1] = now
  return true
end

AddEventHandler('playerDropped', function()
  asked[tostring(source)] = nil
end)

RegisterNetEvent('fundus:takeImage', function(request)
  local player = source
  local answer = { problem = 'Too many pictures in a minute.' }
  if may_ask(tostring(player)) then
    local taken, image = pcall(take_image, player)
    answer = taken and { image = image } or { problem = tostring(image) }
  end
  TriggerClientEvent('fundus:imageTaken', player, request, answer)
end)

-- Contents that the server has ---------------------------------------------------------------------------------------

local function as_base64(content)
  local is_text = content:find('^data:') or (#content % 4 == 0 and content:find('^[%w+/]+=*$'))
  return is_text and content or fundus.base64(content)
end

-- Stores a picture that a script has: bytes (a Buffer in JavaScript), Base64 or a data URL. `options.fileName` begins its name.
exports('uploadImage', function(content, options)
  local headers = { ['Content-Type'] = 'application/json' }
  local body = { base64 = as_base64(content), filename = options and options.fileName }
  local answer = call('call', 'POST', '/api/v3/file/base64', headers, fundus.encode_json(body))
  return image_of(answer.data.id, answer.data.url)
end)

-- An address to which one file may be sent without a key, by POST form or PUT. 'image', 'video' or 'audio'.
exports('requestPresignedUrl', function(file_type)
  local kind = FILE_TYPES[file_type]
  if not kind then error("The kind of file must be 'image', 'video' or 'audio'.", 0) end
  return call('ticket', {
    ordner = (setting('folder', 'players'):gsub('^/+', ''):gsub('/+$', '')),
    arten = { kind },
    gueltig_s = number('address_seconds', 600),
  }).url
end)
