import { expect, test } from 'bun:test'
import { restoreCommand } from './restore-command.ts'

const NAME = 'fundus-2026-11-15-033000.tar'

test.each([
  ['', `DATA_DIR/sicherung/${NAME}`],
  ['/mnt/platte2/fundus', `/mnt/platte2/fundus/${NAME}`],
  ['/mnt/platte2/fundus/', `/mnt/platte2/fundus/${NAME}`],
  ['/mnt/Platte zwei', `'/mnt/Platte zwei/${NAME}'`],
  ["/mnt/d'or $HOME", `'/mnt/d'\\''or $HOME/${NAME}'`],
  ['E:\\Fundus', `E:\\Fundus\\${NAME}`],
  ['E:\\Fundus Sicherung\\', `"E:\\Fundus Sicherung\\${NAME}"`],
  ['E:/Fundus', `E:/Fundus/${NAME}`],
  ['\\\\nas\\media', `"\\\\nas\\media\\${NAME}"`],
])('target %j: %s', (target, path) => {
  expect(restoreCommand({ target, name: NAME })).toBe(`npm run fundus -- restore ${path} --force`)
})

test('without an archive there is a word to replace', () => {
  expect(restoreCommand({ target: '/b', name: null })).toBe('npm run fundus -- restore /b/ARCHIV.tar --force')
})
