--[[
Stands in for the parts of a FiveM server and of a player's game that clients/fivem uses, so that it runs in plain Lua with
LuaSocket. Both sides run in one process, each with globals of its own. Requests are real; time passes only when nobody has
anything to do, and then at once.

  fivem.new({ folder, convars, player })  loads both sides; `player` takes the picture: player(order, address) answers
                                          bytes, nil (sends nothing) or 'claims' (says that it has sent them)
  fivem:call(side, name, ...)             calls an export and answers { value } or { problem }
]]

local http = require('socket.http')
local ltn12 = require('ltn12')

local fivem = {}
fivem.__index = fivem

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local content = file:read('*a')
  file:close()
  return content
end

-- Tasks and time -----------------------------------------------------------------------------------------------------

function fivem:start(work, ...)
  self.tasks[#self.tasks + 1] = { thread = coroutine.create(work), arguments = table.pack(...) }
end

local function step(task)
  if task.waits_for and not task.waits_for.settled then return false end
  local arguments = task.arguments or {}
  task.arguments = nil
  local worked, waits_for = coroutine.resume(task.thread, table.unpack(arguments, 1, arguments.n))
  if not worked then error(waits_for, 0) end
  task.waits_for = waits_for
  return true
end

function fivem:run()
  repeat
    local moved = false
    for at = #self.tasks, 1, -1 do
      moved = step(self.tasks[at]) or moved
      if coroutine.status(self.tasks[at].thread) == 'dead' then table.remove(self.tasks, at) end
    end
    if not moved and #self.timers > 0 then
      table.sort(self.timers, function(a, b) return a.at < b.at end)
      local timer = table.remove(self.timers, 1)
      self.now = timer.at
      self:start(timer.work)
      moved = true
    end
  until not moved or #self.tasks == 0
end

-- The globals of one side --------------------------------------------------------------------------------------------

local function promise_kind()
  local kind = {}
  kind.__index = kind
  function kind:resolve(value)
    if not self.settled then self.settled, self.value = true, value end
  end
  return { new = function() return setmetatable({}, kind) end }
end

local function export_table(side)
  return setmetatable({}, {
    __call = function(_, name, work) side.exports[name] = work end,
    __index = function(_, resource) return side.resources[resource] end,
  })
end

function fivem:side()
  local side = { exports = {}, events = {}, resources = {} }
  side.globals = setmetatable({
    promise = promise_kind(),
    Citizen = {
      Await = function(awaited)
        while not awaited.settled do coroutine.yield(awaited) end
        return awaited.value
      end,
    },
    SetTimeout = function(ms, work) self.timers[#self.timers + 1] = { at = self.now + ms, work = work } end,
    GetGameTimer = function() return self.now end,
    GetCurrentResourceName = function() return 'fundus' end,
    GetResourceState = function(name) return side.resources[name] and 'started' or 'missing' end,
    RegisterNetEvent = function(name, work) side.events[name] = work end,
    AddEventHandler = function(name, work) side.events[name] = work end,
    exports = export_table(side),
    json = self.json,
  }, { __index = _G })
  return side
end

-- An event runs with the player as `source`, as on a real server.
function fivem:send(to, source, name, ...)
  self:start(function(...)
    to.globals.source = source
    to.events[name](...)
  end, ...)
end

local function send_form(url, field, bytes, done)
  local boundary = 'picture-of-a-player'
  local head = ('--%s\r\nContent-Disposition: form-data; name="%s"; filename="screenshot.webp"\r\nContent-Type: image/webp\r\n\r\n')
  local body = head:format(boundary, field) .. bytes .. ('\r\n--%s--\r\n'):format(boundary)
  local parts = {}
  http.request({
    method = 'POST',
    url = url,
    headers = { ['Content-Type'] = 'multipart/form-data; boundary=' .. boundary, ['Content-Length'] = tostring(#body) },
    source = ltn12.source.string(body),
    sink = ltn12.sink.table(parts),
  })
  done(table.concat(parts))
end

function fivem.new(options)
  local self = setmetatable({ tasks = {}, timers = {}, now = 0 }, fivem)
  local library = load(read(options.folder .. '/../lua/fundus.lua'))()
  self.json = { decode = library.decode_json, encode = library.encode_json }
  self.server, self.client = self:side(), self:side()
  local server, client = self.server.globals, self.client.globals

  server.GetConvar = function(name, default) return options.convars[name] or default end
  server.GetPlayerName = function(player) return tostring(player) == '7' and 'Somebody' or nil end
  server.LoadResourceFile = function(_, name)
    return read(options.folder .. (name == 'fundus.lua' and '/../lua/' or '/') .. name)
  end
  server.load = function(text, name) return load(text, name, 't', server) end
  server.PerformHttpRequest = function(url, done, method, body, headers)
    local parts = {}
    headers['Content-Length'] = tostring(#body)
    local answered, status, answer_headers = http.request({
      method = method,
      url = url,
      headers = headers,
      source = ltn12.source.string(body),
      sink = ltn12.sink.table(parts),
    })
    done(answered and status or 0, table.concat(parts), answer_headers)
  end
  server.TriggerClientEvent = function(name, player, ...)
    if tostring(player) == '7' then self:send(self.client, '', name, ...) end
  end
  client.TriggerServerEvent = function(name, ...) self:send(self.server, options.claims_to_be or 7, name, ...) end

  if options.player then
    self.client.resources['screenshot-basic'] = {
      requestScreenshotUpload = function(_, url, field, order, done)
        local bytes = options.player(order, url)
        if bytes == 'claims' then return done('{"url":"https://example.org/a.webp"}') end
        if bytes then send_form(url, field, bytes, done) end
      end,
    }
  end
  assert(load(read(options.folder .. '/server.lua'), '@server.lua', 't', server))()
  assert(load(read(options.folder .. '/client.lua'), '@client.lua', 't', client))()
  return self
end

function fivem:call(side, name, ...)
  local result = {}
  self:start(function(...)
    local worked, value = pcall(self[side].exports[name], ...)
    if worked then result.value = value else result.problem = value end
  end, ...)
  self:run()
  return result
end

return fivem
