--[[
Fundus client for Lua 5.1 to 5.4 and LuaJIT, in one file. See README.md beside it.

  local fundus = require('fundus')
  local client = fundus.new({ url = 'https://media.example.org', token = 'media_…', transport = fundus.luasocket() })
  client:upload('items/brot.png', bytes, nil, function(problem, file)
    if problem then print(problem.status, problem.code, problem.message) else print(file.url) end
  end)

A transport is a table with
  request(order, done)  sends order.method, order.url, order.headers, order.body, then calls done(status, body, headers);
                        status 0 or nil means that no answer came
  later(ms, work)       calls work() after so many milliseconds
  text_only             true where a body must be text: then contents go out as Base64
]]

local fundus = {}

local ATTEMPTS = 5
local FIRST_PAUSE = 500
-- Above this size content is sent in pieces with tus 1.0.0, and goes on where the line broke.
local RESUMABLE_BYTES = 16 * 1024 * 1024
local PIECE_BYTES = 8 * 1024 * 1024
-- Statuses with which another attempt may succeed.
local PASSING = { [0] = true, [408] = true, [429] = true, [500] = true, [502] = true, [503] = true, [504] = true }

-- JSON ---------------------------------------------------------------------------------------------------------------

local ESCAPES = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t', ['"'] = '"', ['\\'] = '\\', ['/'] = '/' }

local function utf8_of(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return string.char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
  end
  return string.char(
    0xF0 + math.floor(code / 262144),
    0x80 + math.floor(code / 4096) % 64,
    0x80 + math.floor(code / 64) % 64,
    0x80 + code % 64
  )
end

-- The two halves of a character beyond the first 65536 come as two escapes.
local function joined_surrogates(text)
  return (text:gsub('\\u[dD]([89abAB]%x%x)\\u[dD]([c-fC-F]%x%x)', function(high, low)
    return utf8_of(0x10000 + (tonumber(high, 16) - 0x800) * 0x400 + (tonumber(low, 16) - 0xC00))
  end))
end

local function unescaped(text)
  text = joined_surrogates(text)
  return (text:gsub('\\(.)(%x?%x?%x?%x?)', function(letter, digits)
    if letter == 'u' then return utf8_of(tonumber(digits, 16)) end
    return ESCAPES[letter] .. digits
  end))
end

local read_value

local function read_string(text, at)
  local start = at + 1
  local stop = start
  while true do
    stop = text:find('["\\]', stop)
    if not stop then error('unfinished string', 0) end
    if text:sub(stop, stop) == '"' then return unescaped(text:sub(start, stop - 1)), stop + 1 end
    stop = stop + 2
  end
end

local function read_members(text, at, close, read_member)
  at = text:match('^%s*()', at + 1)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = read_member(at)
    at = text:match('^%s*()', at)
    local sign = text:sub(at, at)
    if sign == close then return at + 1 end
    if sign ~= ',' then error('comma expected', 0) end
    at = text:match('^%s*()', at + 1)
  end
end

local function read_object(text, at)
  local object = {}
  at = read_members(text, at, '}', function(position)
    local key, after = read_string(text, position)
    object[key], after = read_value(text, text:match('^%s*:%s*()', after))
    return after
  end)
  return object, at
end

local function read_list(text, at)
  local list = {}
  at = read_members(text, at, ']', function(position)
    local value, after = read_value(text, position)
    list[#list + 1] = value
    return after
  end)
  return list, at
end

local WORDS = { ['true'] = true, ['false'] = false }

function read_value(text, at)
  local sign = text:sub(at, at)
  if sign == '{' then return read_object(text, at) end
  if sign == '[' then return read_list(text, at) end
  if sign == '"' then return read_string(text, at) end
  local word = text:match('^[%w+.-]+', at)
  if not word then error('value expected', 0) end
  if word == 'null' then return nil, at + 4 end
  if WORDS[word] ~= nil then return WORDS[word], at + #word end
  local number = tonumber(word)
  if not number then error('value expected', 0) end
  return number, at + #word
end

-- The value of a JSON text, or nil when it is none. `null` becomes nil.
function fundus.decode_json(text)
  local read, value = pcall(function()
    return (read_value(text, text:match('^%s*()')))
  end)
  if read then return value end
  return nil
end

-- Text, numbers, booleans, lists and objects with text for keys; nil members are left out. An empty table is an object.
function fundus.encode_json(value)
  if type(value) == 'string' then
    return '"' .. value:gsub('[%c"\\]', function(sign) return ('\\u%04x'):format(sign:byte()) end) .. '"'
  end
  if type(value) == 'number' then return ('%.14g'):format(value) end
  if type(value) ~= 'table' then return tostring(value) end
  local parts = {}
  if #value > 0 then
    for at, each in ipairs(value) do parts[at] = fundus.encode_json(each) end
    return '[' .. table.concat(parts, ',') .. ']'
  end
  for key, each in pairs(value) do
    parts[#parts + 1] = fundus.encode_json(key) .. ':' .. fundus.encode_json(each)
  end
  return '{' .. table.concat(parts, ',') .. '}'
end

-- Base64 -------------------------------------------------------------------------------------------------------------

local ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local LETTERS = {}
for at = 1, 64 do LETTERS[at - 1] = ALPHABET:sub(at, at) end

-- With arithmetic only: Lua 5.1 has no operators for bits.
function fundus.base64(bytes)
  local parts = {}
  for at = 1, #bytes, 3 do
    local a, b, c = bytes:byte(at, at + 2)
    local bits = a * 65536 + (b or 0) * 256 + (c or 0)
    parts[#parts + 1] = LETTERS[math.floor(bits / 262144)]
      .. LETTERS[math.floor(bits / 4096) % 64]
      .. (b and LETTERS[math.floor(bits / 64) % 64] or '=')
      .. (c and LETTERS[bits % 64] or '=')
  end
  return table.concat(parts)
end

-- The client ---------------------------------------------------------------------------------------------------------

local function encoded(text)
  return (text:gsub('[^%w%-._~]', function(sign)
    return ('%%%02X'):format(sign:byte())
  end))
end

local function header(headers, wanted)
  for name, value in pairs(headers or {}) do
    if tostring(name):lower() == wanted then return type(value) == 'table' and value[1] or value end
  end
end

-- A problem has `status` (0: no answer came), `code` (a stable English word, see docs/api.md) and `message` (German).
local function problem_of(status, body, headers)
  local answer = type(body) == 'string' and fundus.decode_json(body)
  local message = type(answer) == 'table' and answer.error
  if not message then message = status == 0 and 'Der Dienst ist nicht erreichbar.' or 'Status ' .. status .. '.' end
  return { status = status, code = header(headers, 'x-fehler-code'), message = message }
end

local Client = {}
Client.__index = Client

function fundus.new(options)
  assert(options.url and options.token and options.transport, 'fundus.new needs url, token and transport')
  return setmetatable({
    url = (options.url:gsub('/+$', '')),
    token = options.token,
    transport = options.transport,
    attempts = options.attempts or ATTEMPTS,
  }, Client)
end

local function pause_after(tried, answered)
  local asked = tonumber(header(answered, 'retry-after') or nil)
  return asked and asked * 1000 or FIRST_PAUSE * 2 ^ (tried - 1)
end

local function json_of(status, text)
  local answer = status == 200 and fundus.decode_json(text or '')
  return type(answer) == 'table' and answer
end

local function headers_of(status, _, answered)
  return status >= 200 and status < 300 and answered
end

-- `read` returns what `done` gets of a good answer, json_of unless given, and nothing of any other.
local function send(transport, attempts, order, done, read)
  read = read or json_of
  local function attempt(tried)
    transport.request(order, function(status, text, answered)
      status = tonumber(status) or 0
      local answer = read(status, text, answered)
      if answer then return done(nil, answer) end
      if not PASSING[status] or tried >= attempts then return done(problem_of(status, text, answered)) end
      transport.later(pause_after(tried, answered), function()
        attempt(tried + 1)
      end)
    end)
  end
  attempt(1)
end

function Client:order(method, path, headers, body)
  headers = headers or {}
  headers['Authorization'] = 'Bearer ' .. self.token
  return { method = method, url = self.url .. path, headers = headers, body = body }
end

function Client:call(method, path, headers, body, done)
  send(self.transport, self.attempts, self:order(method, path, headers, body), done)
end

-- Long content ------------------------------------------------------------------------------------------------------

-- The size of a string or an open file, counted from where the file stands, and a function that reads a part.
local function source_of(content)
  if type(content) == 'string' then
    return #content, function(from, count) return content:sub(from + 1, from + count) end
  end
  local start = content:seek()
  local size = content:seek('end') - start
  return size, function(from, count)
    content:seek('set', start + from)
    return content:read(count) or ''
  end
end

-- Calls work(again), and once more each time `again` is called. In a loop where the transport blocks, because a call
-- inside a call would keep every piece in memory until the end.
local function repeatedly(work)
  local is_running, is_wanted = false, false
  local function again()
    is_wanted = true
    if is_running then return end
    is_running = true
    while is_wanted do
      is_wanted = false
      work(again)
    end
    is_running = false
  end
  again()
end

function Client:tus_order(method, address, headers, body)
  headers['Tus-Resumable'] = '1.0.0'
  local order = self:order(method, '', headers, body)
  order.url = self.url:match('^%a+://[^/]+') .. address
  return order
end

function Client:create_upload(path, size, options, done)
  local metadata = {
    'ueberschreiben ' .. fundus.base64(options and options.overwrite == false and 'false' or 'true'),
    path and 'pfad ' .. fundus.base64(path),
  }
  if options and options.mime then metadata[#metadata + 1] = 'filetype ' .. fundus.base64(options.mime) end
  local order = self:order('POST', '/api/tus', {
    ['Tus-Resumable'] = '1.0.0',
    ['Upload-Length'] = ('%.0f'):format(size),
    ['Upload-Metadata'] = table.concat(metadata, ','),
  })
  send(self.transport, self.attempts, order, function(problem, answered)
    done(problem, answered and header(answered, 'location'):gsub('^%a+://[^/]+', ''))
  end, headers_of)
end

-- After each failure asks how much has arrived and goes on from there. done(problem, headers of the last answer).
function Client:send_pieces(address, size, read_part, done)
  local offset, failures = 0, 0
  repeatedly(function(again)
    local function arrived(problem, answered)
      if problem then return done(problem) end
      local place = tonumber(header(answered, 'upload-offset'))
      if place > offset then failures = 0 end
      offset = place
      if offset >= size then return done(nil, answered) end
      again()
    end
    local piece = read_part(offset, PIECE_BYTES)
    if piece == '' then return done({ status = 0, message = 'Der Inhalt ist kürzer geworden.' }) end
    local order = self:tus_order('PATCH', address, {
      ['Upload-Offset'] = ('%.0f'):format(offset),
      ['Content-Type'] = 'application/offset+octet-stream',
    }, piece)
    self.transport.request(order, function(status, text, answered)
      status = tonumber(status) or 0
      if headers_of(status, text, answered) then return arrived(nil, answered) end
      failures = failures + 1
      -- Another place is next (409), or the request that broke off is still being written (423). A path that was taken
      -- meanwhile is 409 too, with another code.
      local is_out_of_step = (status == 409 or status == 423) and (header(answered, 'x-fehler-code') or ''):match('^tus%-')
      local may_pass = PASSING[status] or is_out_of_step
      if not may_pass or failures >= self.attempts then return done(problem_of(status, text, answered)) end
      self.transport.later(pause_after(failures, answered), function()
        send(self.transport, self.attempts, self:tus_order('HEAD', address, {}), arrived, headers_of)
      end)
    end)
  end)
end

function Client:upload_pieces(path, size, read_part, options, done)
  self:create_upload(path, size, options, function(problem, address)
    if problem then return done(problem) end
    self:send_pieces(address, size, read_part, function(failed, answered)
      if failed then return done(failed) end
      local stored, url = header(answered, 'x-pfad'), header(answered, 'x-url')
      self:exists(stored, function(unknown, answer)
        if unknown then return done(unknown) end
        done(nil, { path = stored, url = url, size = answer.size, sha256 = answer.sha256 })
      end)
    end)
  end)
end

-- Calls -------------------------------------------------------------------------------------------------------------

local function upload_headers(path, options, is_base64)
  return {
    ['Content-Type'] = is_base64 and 'text/plain' or 'application/octet-stream',
    ['X-Encoding'] = is_base64 and 'base64' or nil,
    ['X-Path'] = path,
    ['X-Overwrite'] = options and options.overwrite == false and 'false' or nil,
    ['X-Mime'] = options and options.mime,
  }
end

-- Stores content under a path; path nil: the service makes one from the content. Content is a string or an open file
-- that can seek. Options: overwrite (false refuses a path that is taken), mime. done(problem, file): file.url, file.path,
-- file.size, file.sha256; up to 16 MB also file.mime, file.replaced.
function Client:upload(path, content, options, done)
  local size, read_part = source_of(content)
  if self.transport.text_only then return self:upload_base64(path, fundus.base64(read_part(0, size)), options, done) end
  if size > RESUMABLE_BYTES then return self:upload_pieces(path, size, read_part, options, done) end
  self:call('POST', '/api/upload', upload_headers(path, options, false), read_part(0, size), done)
end

-- The same with content that is Base64 or a data URL already, as screenshot resources give it.
function Client:upload_base64(path, text, options, done)
  self:call('POST', '/api/upload', upload_headers(path, options, true), text, done)
end

-- done(problem, answer): answer.exists, answer.url, and size, sha256, updated_at where it exists.
function Client:exists(path, done)
  self:call('GET', '/api/exists?pfad=' .. encoded(path), nil, nil, done)
end

-- For good, without the trash; the token needs the right to delete. done(problem, answer): answer.deleted.
function Client:delete(path, done)
  self:call('DELETE', '/api/media/' .. path, nil, nil, done)
end

-- The files below the token's prefix, page by page; the token needs the right to list. Options, all of them optional:
-- ordner, unterordner ('1'), suche, sortierung, richtung, seite, anzahl, as in docs/api.md. done(problem, answer):
-- answer.gesamt, answer.dateien, each with path, url, size, sha256, mime, updated_at.
function Client:list(options, done)
  local parts = {}
  for name, value in pairs(options or {}) do parts[#parts + 1] = encoded(name) .. '=' .. encoded(tostring(value)) end
  self:call('GET', '/api/dateien?' .. table.concat(parts, '&'), nil, nil, done)
end

-- An address with which another program may upload without the token. Options, all of them optional: pfad or ordner,
-- max_bytes, arten, gueltig_s, anzahl, ueberschreiben, as in docs/api.md. done(problem, ticket): ticket.url, ticket.gueltig_bis.
function Client:ticket(options, done)
  local headers = { ['Content-Type'] = 'application/json' }
  self:call('POST', '/api/tickets', headers, fundus.encode_json(options or {}), done)
end

-- Uploads with a ticket, without a token. Options: path (below the ticket's folder), overwrite, mime. done as for upload.
function fundus.upload_with_ticket(transport, url, bytes, options, done)
  local headers = upload_headers(options and options.path, options, transport.text_only)
  local body = transport.text_only and fundus.base64(bytes) or bytes
  send(transport, ATTEMPTS, { method = 'POST', url = url, headers = headers, body = body }, done)
end

-- Transports ---------------------------------------------------------------------------------------------------------

-- For FiveM and RedM servers. Their request function takes text only.
function fundus.fivem()
  return {
    text_only = true,
    request = function(order, done)
      PerformHttpRequest(order.url, function(status, body, headers, errors)
        done(status, body or errors, headers)
      end, order.method, order.body or '', order.headers)
    end,
    later = SetTimeout,
  }
end

-- For plain Lua with LuaSocket (and LuaSec for https). Blocks until the answer is there.
function fundus.luasocket()
  local socket = require('socket')
  local ltn12 = require('ltn12')
  return {
    request = function(order, done)
      local http = require(order.url:match('^https:') and 'ssl.https' or 'socket.http')
      local parts = {}
      order.headers['Content-Length'] = order.body and tostring(#order.body) or nil
      local answered, status, headers = http.request({
        method = order.method,
        url = order.url,
        headers = order.headers,
        source = order.body and ltn12.source.string(order.body) or nil,
        sink = ltn12.sink.table(parts),
      })
      if not answered then return done(0, tostring(status)) end
      done(status, table.concat(parts), headers)
    end,
    later = function(milliseconds, work)
      socket.sleep(milliseconds / 1000)
      work()
    end,
  }
end

return fundus
