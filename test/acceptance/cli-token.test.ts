import { expect, test } from 'bun:test'
import { read, store, upload } from '../support/api.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

interface Listed {
  id: string
  name: string
  files: number
  bytes: number
  quota: number | null
}
const list = async () => JSON.parse((await on.service.command('token', 'list', '--json')).stdout) as Listed[]

test('token list shows each token with its limits and what is stored with it, never the token', async () => {
  const token = await on.service.createToken(
    '--name',
    'Spielserver',
    '--prefix',
    'items',
    '--quota',
    '5242880',
  )
  await store(on.service, token, 'items/a.txt', 'x'.repeat(2048))
  const { code, stdout } = await on.service.commandProcess('token', 'list')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^[0-9a-z]{16} {2}Spielserver$/m)
  expect(stdout).toContain('1 Datei, 2 KB')
  expect(stdout).toContain('nur unter items/, darf nicht löschen, zusammen bis 5 MB')
  expect(stdout).not.toContain('media_')
  expect((await list()).find(({ name }) => name === 'Spielserver')).toMatchObject({
    files: 1,
    bytes: 2048,
    quota: 5242880,
  })
})

test('token delete withdraws at once, also from the running service; the files stay', async () => {
  const token = await on.service.createToken('--name', 'weg')
  await store(on.service, token, 'weg/a.txt', 'x')
  const id = (await list()).find(({ name }) => name === 'weg')!.id
  // The command has no terminal, so it cannot ask.
  const refused = await on.service.command('token', 'delete', id)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')])
  expect((await upload(on.service, token, 'x', { 'X-Path': 'weg/b.txt' })).status).toBe(200)

  const { code, stdout } = await on.service.command('token', 'delete', id, '--yes')
  expect([code, stdout]).toEqual([0, 'Das Token „weg“ ist widerrufen.\n'])
  expect((await upload(on.service, token, 'x', { 'X-Path': 'weg/c.txt' })).status).toBe(401)
  expect((await read(on.service, 'weg/a.txt')).status).toBe(200)
  expect((await list()).some(({ name }) => name === 'weg')).toBe(false)
  expect((await on.service.command('token', 'delete', id, '--yes')).code).toBe(2)
})
