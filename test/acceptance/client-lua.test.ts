/** clients/lua: the file for game servers, run by every installed Lua; 5.4 with LuaSocket is required. */
import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { read } from '../support/api.ts'
import { EVERY_BYTE, randomBytes, sha256 } from '../support/bytes.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { useFolder } from '../support/folder.ts'
import { findLuaSocket } from '../support/lua.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { needsTool } from '../support/tools.ts'

needsTool('lua-socket', findLuaSocket)
const on = sharedServiceWithAdmin()
const folder = await useFolder()
const CLIENT = resolve(import.meta.dir, '../../clients/lua')
const MB = 1024 * 1024
const LUAS = ['lua5.4', 'lua5.3', 'lua5.1', 'luajit'].filter(name => name === 'lua5.4' || Bun.which(name))

/** Runs a script that has `fundus`, `client` and `show`; returns the lines that it shows. */
async function inLua(lua: string, script: string, token = on.token): Promise<string[]> {
  const file = join(folder, 'script.lua')
  const head = `package.path = ${JSON.stringify(`${CLIENT}/?.lua`)} .. ';' .. package.path
    local fundus = require('fundus')
    local function show(...) print(table.concat({...}, ' ')) end
    local every = {} for at = 0, 255 do every[#every + 1] = string.char(at) end
    local bytes = table.concat(every)
    local client = fundus.new({ url = arg[1] .. '/', token = arg[2], transport = fundus.luasocket() })
  `
  await writeFile(file, head + script)
  const child = Bun.spawn([lua, file, on.service.url, token], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim().split('\n')
}

describe.each(LUAS)('%s', lua => {
  test('uploads bytes as they are, asks for them, deletes them', async () => {
    const lines = await inLua(
      lua,
      `client:upload('lua/a.bin', bytes, nil, function(problem, file)
         show(file.path, file.sha256, tostring(file.replaced)) end)
       client:exists('lua/a.bin', function(problem, answer) show(tostring(answer.exists), answer.sha256) end)
       client:exists('lua/none.bin', function(problem, answer) show(tostring(answer.exists)) end)
       client:upload('lua/b.txt', 'text', { mime = 'text/x-lua' }, function(problem, file) show(file.mime) end)
       client:delete('lua/a.bin', function(problem, answer) show(answer.deleted) end)`,
    )
    const hash = sha256(EVERY_BYTE)
    expect(lines).toEqual([`lua/a.bin ${hash} false`, `true ${hash}`, 'false', 'text/x-lua', 'lua/a.bin'])
    await inLua(lua, `client:delete('lua/b.txt', function() end)`)
  })

  test('a refusal comes with status, code and sentence', async () => {
    const token = await on.tokenWith('--prefix', 'lua-only')
    const lines = await inLua(
      lua,
      `local function tell(problem) show(problem.status, problem.code, problem.message) end
       client:upload('other/a.txt', 'x', nil, tell)
       client:delete('lua-only/a.txt', tell)
       client:upload('lua-only/a.txt', 'x', nil, function() end)
       client:upload('lua-only/a.txt', 'y', { overwrite = false }, tell)
       fundus.new({ url = 'http://127.0.0.1:9', token = 'x', transport = fundus.luasocket(), attempts = 1 }):exists('a', function(problem) show(problem.status, problem.message) end)`,
      token,
    )
    expect(lines).toEqual([
      '403 prefix-forbidden Dieses Token darf nur unter „lua-only/“ schreiben.',
      expect.stringMatching(/^403 delete-forbidden /),
      expect.stringMatching(/^409 path-taken /),
      '0 Der Dienst ist nicht erreichbar.',
    ])
  })

  test('tries again what may pass, as long as the other side asks, and not what will not', async () => {
    const lines = await inLua(
      lua,
      `local real, tries = fundus.luasocket(), 0
       local transport = {
         request = function(order, done)
           tries = tries + 1
           if tries == 1 then return done(503, '', { ['Retry-After'] = '7' }) end
           if tries == 2 then return done(0) end
           real.request(order, done)
         end,
         later = function(ms, work) show('later', string.format('%d', ms)) work() end,
       }
       local patient = fundus.new({ url = arg[1], token = arg[2], transport = transport })
       patient:exists('none', function(problem, answer) show(tries, tostring(answer.exists)) end)
       patient.token = 'media_wrong'
       patient:exists('none', function(problem) show(tries, problem.status, problem.code) end)`,
    )
    expect(lines).toEqual(['later 7000', 'later 1000', '3 false', '4 401 token-missing'])
  })

  test('lists files, and makes a ticket with which another program uploads', async () => {
    const { token } = await on.admin.create({ darf_lesen: true, praefix: 'lua-tickets' })
    const lines = await inLua(
      lua,
      `client:ticket({ ordner = 'lua-tickets/in', arten = { 'sonstige', 'dokumente' }, max_bytes = 1000, anzahl = 2, ueberschreiben = true }, function(problem, ticket)
         show(ticket.anzahl)
         local transport = fundus.luasocket()
         local function tell(problem, file) show(problem and problem.code or file.path) end
         fundus.upload_with_ticket(transport, ticket.url, bytes, { path = 'a "b".bin' }, tell)
         fundus.upload_with_ticket(transport, ticket.url, bytes, { path = 'a.bin' }, tell)
         transport.text_only = true
         fundus.upload_with_ticket(transport, ticket.url, bytes, { path = 'b.bin' }, tell)
         fundus.upload_with_ticket(transport, ticket.url, 'x', { path = 'c.bin' }, tell)
       end)
       client:list({ ordner = 'lua-tickets/in', suche = 'b bin' }, function(problem, answer)
         for _, file in ipairs(answer.dateien) do show(answer.gesamt, file.path, file.size, file.sha256) end
       end)
       client:list({ ordner = 'elsewhere' }, function(problem) show(problem.code) end)
       client:ticket({ pfad = 'a"\\\n' }, function(problem) show(problem.code) end)`,
      token,
    )
    expect(lines).toEqual([
      ...['2', 'path-invalid', 'lua-tickets/in/a.bin', 'lua-tickets/in/b.bin', 'ticket-invalid'],
      ...['a', 'b'].map(name => `2 lua-tickets/in/${name}.bin 256 ${sha256(EVERY_BYTE)}`),
      ...['read-outside-prefix', 'path-invalid'],
    ])
  })

  test('a long file goes in pieces and goes on where the line broke, from a string and from an open file', async () => {
    const content = randomBytes(7, 17 * MB)
    await writeFile(join(folder, 'long.bin'), content)
    using proxy = startCuttingProxy(() => Number(new URL(on.service.url).port), 3 * MB, { delivers: true })
    const lines = await inLua(
      lua,
      `local file = assert(io.open(${JSON.stringify(join(folder, 'long.bin'))}, 'rb'))
       local transport, counts, wait = fundus.luasocket(), {}, require('socket').sleep
       local real = transport.request
       transport.request = function(order, done)
         counts[order.method] = (counts[order.method] or 0) + 1
         assert(#(order.body or '') <= 8 * 1024 * 1024)
         real(order, done)
       end
       transport.later = function(ms, work) wait(ms / 5000) work() end
       local over = fundus.new({ url = '${proxy.url}', token = arg[2], transport = transport })
       local function tell(problem, stored)
         show(problem and problem.message or stored.path, stored.size, stored.sha256, stored.url:match('/f/.*'))
         show(tostring(counts.PATCH > 5), tostring(counts.HEAD > 3))
         counts = {}
       end
       over:upload('lua/long.bin', file, { mime = 'video/mp4' }, tell)
       file:seek('set', 0)
       over:upload(nil, file:read('*a'), nil, tell)
       over:exists('lua/long.bin', function(problem, answer) show(answer.sha256) end)`,
    )
    const hash = sha256(content)
    const size = String(content.length)
    const made = `uploads/${hash.slice(0, 32)}.bin`
    expect(lines).toEqual([
      ...[`lua/long.bin ${size} ${hash} /f/lua/long.bin`, 'true true'],
      ...[`${made} ${size} ${hash} /f/${made}`, 'true true'],
      hash,
    ])
    expect(proxy.cuts).toBeGreaterThan(8)
  })

  test('a long file is refused as a short one, and a line that stays broken is reported', async () => {
    const lines = await inLua(
      lua,
      `local function tell(problem) show(problem.status, problem.code or '', problem.message) end
       local long, transport = ('x'):rep(17 * 1024 * 1024), fundus.luasocket()
       client:upload('lua/taken.bin', 'first', nil, function() end)
       client:upload('lua/taken.bin', long, { overwrite = false }, tell)
       local real, tries = transport.request, 0
       transport.later = function(ms, work) work() end
       local other = fundus.new({ url = arg[1], token = arg[2], transport = transport })
       -- Somebody stores a file under the path between the pieces.
       transport.request = function(order, done)
         if order.headers['Upload-Offset'] == '8388608' then client:upload('lua/between.bin', 'x', nil, function() end) end
         real(order, done)
       end
       other:upload('lua/between.bin', long, { overwrite = false }, tell)
       transport.request = function(order, done)
         if order.method == 'PATCH' then tries = tries + 1 return done(0) end
         real(order, done)
       end
       other:upload('lua/broken.bin', long, nil, tell)
       show(tries)`,
    )
    expect(lines).toEqual([
      expect.stringMatching(/^409 path-taken /),
      expect.stringMatching(/^409 path-taken /),
      '0  Der Dienst ist nicht erreichbar.',
      '5',
    ])
  })

  test('on a FiveM server contents go out as text, through PerformHttpRequest', async () => {
    const lines = await inLua(
      lua,
      `local real = fundus.luasocket()
       function PerformHttpRequest(url, done, method, data, headers)
         assert(not data:find('[^%w+/=]'), 'text only')
         real.request({ url = url, method = method, body = data, headers = headers }, function(status, body, answered)
           if status == 200 then done(status, body, answered) else done(status, nil, answered, body) end
         end)
       end
       function SetTimeout(ms, work) work() end
       local server = fundus.new({ url = arg[1], token = arg[2], transport = fundus.fivem() })
       server:upload('fivem/a.bin', bytes, nil, function(problem, file) show(file.sha256) end)
       server:upload_base64('fivem/b.txt', fundus.base64('hallo'), nil, function(problem, file) show(file.size) end)
       server:upload('_x', bytes, nil, function(problem) show(problem.status, problem.code) end)`,
    )
    expect(lines).toEqual([sha256(EVERY_BYTE), '5', '400 path-invalid'])
    expect(await (await read(on.service, 'fivem/b.txt')).text()).toBe('hallo')
  })
})
