/**
 * Scripts that used presigned addresses, changed to tickets: the lines of the guide replace the old call, in
 * the three structures that public scripts have. Runs in real Lua 5.4, with fakes for the functions of a game
 * server.
 */
import { describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { read } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { useFolder } from '../support/folder.ts'
import { findLuaSocket } from '../support/lua.ts'
import { media } from '../support/media.ts'
import { jpeg } from '../support/pictures.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { needsTool } from '../support/tools.ts'

needsTool('lua-socket', findLuaSocket)
const on = sharedServiceWithAdmin()
const folder = await useFolder()
const LUA_CLIENT = resolve(import.meta.dir, '../../clients/lua')

/** The lines of the guide, with this service's address and this token. */
async function linesOf(guide: string, language: string, token: string): Promise<string> {
  const text = await readFile(resolve(import.meta.dir, '../../docs', guide), 'utf8')
  const start = text.indexOf('\n## ', text.indexOf('/api/tickets'))
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    text.slice(text.lastIndexOf('\n## ', text.indexOf('POST …/api/tickets')), start),
  )
  return block![1]!.replaceAll('https://media.example.org', on.service.url).replaceAll('media_…', token)
}

/**
 * Fakes for the functions of a game server and of the player's game, based on LuaSocket. `game.upload` is the
 * browser in the game.
 */
const GAME = `
package.path = ${JSON.stringify(`${LUA_CLIENT}/?.lua`)} .. ';' .. package.path
local http, ltn12 = require('socket.http'), require('ltn12')
local fundus = require('fundus')
json = { decode = fundus.decode_json }
function json.encode(value)
  if type(value) ~= 'table' then return type(value) == 'string' and ('%q'):format(value) or tostring(value) end
  local parts = {}
  for _, each in ipairs(value) do parts[#parts + 1] = json.encode(each) end
  if #value > 0 then return '[' .. table.concat(parts, ',') .. ']' end
  for key, each in pairs(value) do parts[#parts + 1] = ('%q:'):format(key) .. json.encode(each) end
  return '{' .. table.concat(parts, ',') .. '}'
end
local function request(url, method, body, headers)
  local answer = {}
  headers = headers or {}
  headers['Content-Length'] = #(body or '')
  local _, status = http.request({ url = url, method = method, headers = headers, source = ltn12.source.string(body or ''), sink = ltn12.sink.table(answer) })
  return status, table.concat(answer)
end
function PerformHttpRequest(url, done, method, data, headers)
  assert(not url:find('presigned'))
  done(request(url, method, data, headers))
end
game = {}
local function content() local file = assert(io.open(arg[1], 'rb')) local bytes = file:read('a') file:close() return bytes end
-- As screenshot-basic does: a form with the named field, no header beside.
function game.upload(url, field, name, done)
  local form = '--x\\r\\nContent-Disposition: form-data; name="' .. field .. '"; filename="' .. name .. '"\\r\\n\\r\\n' .. content() .. '\\r\\n--x--\\r\\n'
  local _, text = request(url, 'POST', form, { ['Content-Type'] = 'multipart/form-data; boundary=x' })
  done(text)
end
function game.put(url, done) done(request(url, 'PUT', content(), { ['Content-Type'] = 'application/octet-stream' })) end
`

async function run(script: string, content: Uint8Array): Promise<string[]> {
  await writeFile(join(folder, 'content'), content)
  await writeFile(join(folder, 'script.lua'), GAME + script)
  const child = Bun.spawn(['lua5.4', join(folder, 'script.lua'), join(folder, 'content')], {
    ...{ stdout: 'pipe', stderr: 'pipe' },
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim().split('\n')
}

async function expectStored(address: string | undefined, content: Uint8Array): Promise<void> {
  const stored = await read(on.service, new URL(address!).pathname.slice('/f/'.length))
  expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(content))
}

describe.each(['compat.md', 'compat.de.md'])('the lines of %s', guide => {
  const lines = async () => {
    const { token } = await on.admin.create({ arten: ['bilder', 'video'], praefix: 'game' })
    return linesOf(guide, 'lua', token)
  }

  test('a phone: the page asks its server for an address and uploads the photo itself', async () => {
    const photo = await jpeg({ width: 40, height: 30 })
    const script = `
      local callbacks = {}
      callbacks['phone:uploadAddress'] = function(source, send) ${await lines()} end
      -- in the page of the phone
      callbacks['phone:uploadAddress'](1, function(address)
        game.upload(address, 'file', 'photo.jpg', function(text) print(json.decode(text).url) end)
      end)`
    const [address] = await run(script, photo)
    expect(address).toMatch(/\/f\/game\/[0-9a-f]{32}\.jpg$/)
    await expectStored(address, photo)
  })

  test('a records computer: the server waits for the picture of one player, and keeps the address', async () => {
    const picture = await jpeg({ width: 41, height: 30 })
    const script = `
      local function takeScreenshot()
        local waiting
        local function send(address)
          if not address then return end
          game.upload(address, 'image', 'screenshot.undefined', function(text) waiting = json.decode(text) end)
        end
        ${await lines()}
        return waiting and waiting.url
      end
      print(takeScreenshot())
      print(takeScreenshot())`
    const [address, again] = await run(script, picture)
    await expectStored(address, picture)
    // Equal content gets the same generated name.
    expect(again).toBe(address!)
  })

  test('a media app: the kind is part of the request, the bytes are put, a second use is refused', async () => {
    const film = media('clip.mp4')
    const script = `
      local function addressFor(kind, send)
        ${(await lines()).replace("'bilder'", 'kind')}
      end
      addressFor('video', function(address)
        game.put(address, function(status, text) print(status, json.decode(text).url) end)
        game.put(address, function(status, text) print(status, json.decode(text).error) end)
      end)
      addressFor('bilder', function(address)
        game.put(address, function(status, text) print(status, json.decode(text).error) end)
      end)`
    const [stored, again, other] = await run(script, film)
    const [status, address] = stored!.split('\t')
    expect(status).toBe('200')
    await expectStored(address, film)
    expect(again).toMatch(/^401\tDieses Ticket gilt nicht/)
    expect(other).toMatch(/^403\t.*bilder/)
  })

  test('JavaScript: an address for somebody else', async () => {
    const script = await linesOf(guide, 'js', on.token)
    const make = new Function(`return (async () => { ${script}; return address })()`) as () => Promise<string>
    const picture = await jpeg({ width: 42, height: 30 })
    const answer = await fetch(await make(), { method: 'PUT', body: picture })
    await expectStored(((await answer.json()) as { url: string }).url, picture)
  })
})
