/** Every limit of a token takes effect at once when set by PATCH, and ends at once when cleared by null. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { expectError, remove, store, type UploadAnswer, upload } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { file, freshPng, post } from '../support/compat.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { type CreatedToken, sharedServiceWithAdmin } from '../support/token-admin.ts'
import { storesNothing } from '../support/usage.ts'
import { eventually } from '../support/wait.ts'

const on = sharedServiceWithAdmin()

let made: CreatedToken
beforeEach(async () => {
  made = await on.admin.create()
})

const send = (path: string, body: Uint8Array<ArrayBuffer> | string = 'x') =>
  upload(on.service, made.token, body, { 'X-Path': path })
const put = (path: string, body: Uint8Array<ArrayBuffer> | string = 'x') =>
  store(on.service, made.token, path, body)

/** Checks that `act` is refused with this sentence and changes nothing. */
async function expectRefused(status: number, sentence: RegExp, act: () => Promise<Response>): Promise<void> {
  await storesNothing(on.service.dataDir, async () => {
    await expectError(await act(), status, sentence)
  })
}

describe('prefix', () => {
  test('403 outside it, with the prefix in the sentence', async () => {
    await put('limits/elsewhere.txt')
    await on.admin.patch(made.id, { praefix: 'items' })
    for (const path of ['limits/elsewhere.txt', 'items.txt', 'items2/a.txt', 'Items/a.txt']) {
      await expectRefused(403, /darf nur unter „items\/“ schreiben/, () => send(path))
    }
    await put('items/a.txt')
    await on.admin.patch(made.id, { praefix: 'items/deeper' })
    await expectRefused(403, /„items\/deeper\/“/, () => send('items/a.txt'))
    await on.admin.patch(made.id, { praefix: null })
    await put('limits/elsewhere.txt')
  })
})

describe('may delete', () => {
  test('403 without it, 200 with it, 403 again without it', async () => {
    await put('limits/delete.txt')
    await expectError(await remove(on.service, made.token, 'limits/delete.txt'), 403, /keine Dateien löschen/)
    await on.admin.patch(made.id, { darf_loeschen: true })
    expect((await remove(on.service, made.token, 'limits/delete.txt')).status).toBe(200)
    await put('limits/delete.txt')
    for (const darf_loeschen of [false, null]) {
      await on.admin.patch(made.id, { darf_loeschen })
      await expectError(await remove(on.service, made.token, 'limits/delete.txt'), 403, /löschen/)
    }
  })

  test('it reaches only below the prefix', async () => {
    await put('limits/outside.txt')
    await on.admin.patch(made.id, { darf_loeschen: true, praefix: 'inside' })
    const response = await remove(on.service, made.token, 'limits/outside.txt')
    await expectError(response, 403, /nur unter „inside\/“ löschen/)
  })
})

describe('largest file', () => {
  test('413 above it; the sentence gives the size and says that it is the token', async () => {
    await put('limits/large.bin', randomBytes(1, 2049))
    await on.admin.patch(made.id, { max_datei: 2048 })
    await put('limits/large.bin', randomBytes(2, 2048))
    await expectRefused(413, /2 KB.*Token/, () => send('limits/larger.bin', randomBytes(1, 2049)))
    await on.admin.patch(made.id, { max_datei: null })
    await put('limits/larger.bin', randomBytes(1, 2049))
  })

  test('it never widens MAX_UPLOAD_MB, and the sentence says which of the two it was', async () => {
    await on.service.restart({ MAX_UPLOAD_MB: '0.01' })
    await on.admin.patch(made.id, { max_datei: 1_000_000 })
    const sentence = await expectError(
      await send('limits/wide.bin', randomBytes(3, 10_486)),
      413,
      /MAX_UPLOAD_MB/,
    )
    expect(sentence).not.toContain('Token')
    await put('limits/wide.bin', randomBytes(3, 10_485))
    await on.service.restart({ MAX_UPLOAD_MB: '' })
  })
})

describe('quota', () => {
  test('413 above it; held, allowed and needed in the sentence, as people read sizes', async () => {
    await put('limits/quota-1.bin', randomBytes(1, 1536))
    await on.admin.patch(made.id, { kontingent: 2048 })
    const sentence = /belegt sind 1,5 KB, erlaubt 2 KB, nötig wären weitere 1 KB/
    await expectRefused(413, sentence, () => send('limits/quota-2.bin', randomBytes(2, 1024)))
    await put('limits/quota-2.bin', randomBytes(2, 512))
    await on.admin.patch(made.id, { kontingent: 2049 })
    await expectRefused(413, /Kontingent/, () => send('limits/quota-3.bin', '12'))
    await put('limits/quota-3.bin', '1')
    await on.admin.patch(made.id, { kontingent: null })
    await put('limits/quota-4.bin', randomBytes(3, 100_000))
  })

  test('lowered below what is held: nothing is lost, nothing more comes in until there is room', async () => {
    await on.admin.patch(made.id, { darf_loeschen: true })
    for (const n of [1, 2, 3]) await put(`limits/held-${n}.bin`, randomBytes(n, 1000))
    await on.admin.patch(made.id, { kontingent: 1500 })
    await expectRefused(413, /belegt sind 2,93 KB, erlaubt 1,46 KB/, () => send('limits/held-4.bin', '1'))
    for (const n of [1, 2]) {
      expect((await remove(on.service, made.token, `limits/held-${n}.bin`)).status).toBe(200)
    }
    await put('limits/held-4.bin', randomBytes(4, 500))
    await expectRefused(413, /Kontingent/, () => send('limits/held-5.bin', '1'))
  })

  test('each token has its own', async () => {
    const other = await on.admin.create({ kontingent: 1000 })
    await on.admin.patch(made.id, { kontingent: 1000 })
    await put('limits/own-1.bin', randomBytes(1, 1000))
    await store(on.service, other.token, 'limits/own-2.bin', randomBytes(2, 1000))
    await expectRefused(413, /Kontingent/, () => send('limits/own-3.bin', '1'))
  })
})

describe('allowed kinds', () => {
  const FILES: Record<string, [name: string, make: () => Promise<Uint8Array<ArrayBuffer>> | string]> = {
    bilder: ['a.png', freshPng],
    video: ['a.mp4', async () => media('clip.mp4')],
    audio: ['a.mp3', async () => media('tone.mp3')],
    dokumente: ['a.pdf', () => 'x'],
    sonstige: ['a.zip', () => 'x'],
  }
  test.each(Object.keys(FILES))(
    '%s alone: every other kind is 403, with both in the sentence',
    async kind => {
      await on.admin.patch(made.id, { arten: [kind] })
      for (const [other, [name, make]] of Object.entries(FILES)) {
        const bytes = await make()
        if (other === kind) await put(`limits/kinds/${kind}/${name}`, bytes)
        else {
          const sentence = new RegExp(`„${other}“.*nur: ${kind}`)
          await expectRefused(403, sentence, () => send(`limits/kinds/${kind}/${name}`, bytes))
        }
      }
    },
  )

  test('two of them, then all', async () => {
    await on.admin.patch(made.id, { arten: ['audio', 'bilder'] })
    await put('limits/two/a.png', await freshPng())
    await put('limits/two/a.mp3', media('tone.mp3'))
    await expectRefused(403, /„video“/, () => send('limits/two/a.mp4'))
    await on.admin.patch(made.id, { arten: null })
    await put('limits/two/a.mp4')
  })

  test('the type that X-Mime gives decides', async () => {
    await on.admin.patch(made.id, { arten: ['bilder'] })
    const picture = await freshPng()
    const as = (mime: string) =>
      upload(on.service, made.token, picture, { 'X-Path': 'limits/mime.bin', 'X-Mime': mime })
    await expectRefused(403, /„video“/, () => as('video/mp4'))
    expect((await as('image/png')).status).toBe(200)
  })
})

describe('valid until', () => {
  test('401 afterwards, with the date in the sentence; put off it is valid again', async () => {
    await on.admin.patch(made.id, { gueltig_bis: Date.UTC(2020, 5, 15, 12) })
    await expectRefused(401, /am 15\. Juni 2020 .*abgelaufen/, () => send('limits/late.txt'))
    const picture = [file('image', await freshPng())]
    await expectRefused(401, /15\. Juni 2020/, () => post(on.service, '/api/image', made.token, picture))
    await on.admin.patch(made.id, { gueltig_bis: Date.now() + 60_000 })
    await put('limits/late.txt')
    await on.admin.patch(made.id, { gueltig_bis: null })
    await put('limits/late.txt')
  })

  test('time alone is enough', async () => {
    await on.admin.patch(made.id, { gueltig_bis: Date.now() + 1000 })
    await put('limits/soon.txt')
    const expired = async () => (await send('limits/soon.txt')).status === 401
    await eventually('it has expired', expired)
  })
})

describe('largest edge', () => {
  test('scaled down above it, never enlarged, untouched without it', async () => {
    const picture = await png({ width: 200, height: 100, seed: 31 })
    expect(await put('limits/edge.png', picture)).not.toHaveProperty('verkleinert')
    await on.admin.patch(made.id, { max_kante: 50 })
    const answer: UploadAnswer = await put('limits/edge.png', picture)
    expect(answer.verkleinert).toEqual({ von: '200x100', auf: '50x25' })
    for (const max_kante of [200, 5000, null]) {
      await on.admin.patch(made.id, { max_kante })
      const whole = await put('limits/edge.png', picture)
      expect(whole).not.toHaveProperty('verkleinert')
      expect(whole.size).toBe(picture.length)
    }
  })

  test('what is no picture is left alone', async () => {
    await on.admin.patch(made.id, { max_kante: 1 })
    for (const name of ['a.mp4', 'a.mp3', 'a.pdf', 'a.zip']) {
      expect(await put(`limits/edge/${name}`, randomBytes(1, 999))).toMatchObject({ size: 999 })
    }
  })
})

test('a restriction outlives a restart', async () => {
  await on.admin.patch(made.id, { praefix: 'lasting', max_datei: 10 })
  await on.service.restart()
  await expectRefused(403, /„lasting\/“/, () => send('limits/a.txt'))
  await expectRefused(413, /Token/, () => send('lasting/a.txt', '12345678901'))
  await put('lasting/a.txt', '1234567890')
})
