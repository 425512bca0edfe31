/**
 * Second factors after backup and restore: without the instance key an archive gives access to none; with the
 * key of the data folder all keep working.
 */
import { expect, setDefaultTimeout } from 'bun:test'
import { copyFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp } from '../support/backup.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { addPasskey, codeOf, newPerson, setUpTotp, signInWithPasskey, stepOf } from '../support/factors.ts'
import { openFolder } from '../support/folder.ts'
import { embeddedOnly } from '../support/modes.ts'
import { type Service, startService } from '../support/service.ts'
import { windowsRun } from '../support/windows.ts'

setDefaultTimeout(180_000)

embeddedOnly.folder(
  'restored elsewhere an app needs the key, emergency codes and passkeys do not; in place nothing is lost',
  async () => {
    await using temporary = await openFolder()
    // The same address in both places, because the passkey is bound to it.
    const env = { ...ADMIN_ENV, PUBLIC_URL: 'https://fundus.example.org' }
    await using service = await startService({ env })
    const session = await signIn(service)
    const person = await newPerson(service, session)
    const { secret, codes } = await setUpTotp(service, person.session)
    const { authenticator } = await addPasskey(service, person.session)
    const { archiv } = await backUp(service, session)
    const archive = join(service.dataDir, 'sicherung', archiv!)
    const key = join(service.dataDir, 'fundus.key')
    const text = await readFile(archive, 'latin1')
    for (const hidden of [secret, (await readFile(key, 'latin1')).trim(), codes[0]!.replaceAll('-', '')])
      expect(text.toUpperCase()).not.toContain(hidden.toUpperCase())
    if (!windowsRun()) expect((await stat(key)).mode & 0o777).toBe(0o600)
    await service.stop()

    const into = join(temporary.path, 'elsewhere')
    const restored = await service.command('restore', archive, '--into', into)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('Die Authenticator-Apps')])
    expect(restored.stdout).toContain(person.benutzer)
    const enter = async (at: Service, code: string) => {
      const json = { schritt: await stepOf(at, person), code }
      return (await dash(at, 'login/zweiter-faktor', { json })).status
    }
    await using elsewhere = await startService({ env, dataDir: into })
    expect(await enter(elsewhere, codeOf(secret, 1))).toBe(409)
    expect(await enter(elsewhere, codes[0]!)).toBe(200)
    expect((await signInWithPasskey(elsewhere, authenticator)).status).toBe(200)
    await elsewhere.stop()
    await copyFile(key, join(into, 'fundus.key'))
    await elsewhere.restart()
    expect(await enter(elsewhere, codeOf(secret, 1))).toBe(200)

    const again = await service.command('restore', archive, '--force')
    expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining('Authenticator')])
    await service.restart()
    expect(await enter(service, codeOf(secret, 1))).toBe(200)
  },
)
