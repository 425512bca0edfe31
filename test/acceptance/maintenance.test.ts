/** `POST /api/dash/maintenance/…`: rounds of derived files, and orphans; `integritaet`. */
import { describe, expect, test } from 'bun:test'
import { answered, expectError, read, remove, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { objectFiles, removeObject, storedFiles, writeObject } from '../support/data-folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { media } from '../support/media.ts'
import { notUnderWine } from '../support/modes.ts'
import { jpegBeatsWebp, png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary()

interface Round {
  bearbeitet: number
  offen: number
  fertig: boolean
}
const post = (route: string, json?: unknown) =>
  dash(on.service, `maintenance/${route}`, {
    method: 'POST',
    session: on.session,
    ...(json !== undefined && { json }),
  })
const round = async (task: 'thumbs' | 'webp') => answered<Round>(await post(task))
const stored = (start: string) => async () =>
  (await storedFiles(on.service.dataDir)).filter(name => name.startsWith(start))

test('with GET 405', async () => {
  for (const task of ['thumbs', 'webp', 'verwaiste'])
    await expectError(await dash(on.service, `maintenance/${task}`, { session: on.session }), 405)
})

test('an empty library is done at once', async () => {
  for (const task of ['thumbs', 'webp'] as const)
    expect(await round(task)).toEqual({ bearbeitet: 0, offen: 0, fertig: true })
})

describe('previews and variants', () => {
  test('right after uploads a round waits for what is being made', async () => {
    for (let nr = 0; nr < 4; nr++)
      await store(on.service, on.token, `m/${nr}.png`, await png({ width: 64, height: 48, seed: nr }))
    expect(await round('thumbs')).toMatchObject({ offen: 0, fertig: true })
    expect(await stored('thumbs/m/')()).toHaveLength(4)
    // All derived files exist: nothing to do.
    expect(await round('thumbs')).toEqual({ bearbeitet: 0, offen: 0, fertig: true })
    expect(await round('webp')).toEqual({ bearbeitet: 0, offen: 0, fertig: true })
  })

  test('what has vanished from the disk is made again, the rest is left alone', async () => {
    const variants = async () => (await stored('files/m/')()).filter(name => name.includes('~w-'))
    const [preview = '', ...otherPreviews] = await stored('thumbs/m/')()
    const [variant = '', ...otherVariants] = await variants()
    await removeObject(on.service.dataDir, preview)
    await removeObject(on.service.dataDir, variant)
    expect(await round('thumbs')).toEqual({ bearbeitet: 1, offen: 0, fertig: true })
    expect(await stored('thumbs/m/')()).toEqual(expect.arrayContaining(otherPreviews))
    expect([(await stored('thumbs/m/')()).length, (await variants()).length]).toEqual([4, 3])
    expect(await round('webp')).toEqual({ bearbeitet: 1, offen: 0, fertig: true })
    expect(await variants()).toEqual(expect.arrayContaining(otherVariants))
    // A remade file gets a new name.
    const all = [...(await stored('thumbs/m/')()), ...(await variants())]
    expect([all.length, all.includes(preview), all.includes(variant)]).toEqual([8, false, false])
    const { code } = await on.service.command('check')
    expect(code).toBe(0)
  })

  notUnderWine.unreadable(
    'drives settle: what cannot be read, and what is not smaller as WebP, is worked on once',
    async () => {
      await store(on.service, on.token, 'm/broken.png', 'no picture at all')
      await store(on.service, on.token, 'm/noise.jpg', await jpegBeatsWebp())
      await store(on.service, on.token, 'm/sound.mp3', media('tone.mp3'))
      for (const task of ['thumbs', 'webp'] as const) {
        await eventually('a round with nothing to do', async () => (await round(task)).bearbeitet === 0)
        expect(await round(task)).toEqual({ bearbeitet: 0, offen: 0, fertig: true })
      }
      expect((await fetch(`${on.service.url}/t/m/broken.png.webp`)).status).toBe(404)
      expect((await fetch(`${on.service.url}/t/m/noise.jpg.webp`)).status).toBe(200)
      expect(await stored('files/m/noise')()).toHaveLength(1)
    },
  )

  test('the verdict is on the content: overwritten, a file has its turn again', async () => {
    await store(on.service, on.token, 'm/broken.png', await png({ width: 64, height: 48, seed: 9 }))
    expect(await round('webp')).toMatchObject({ offen: 0, fertig: true })
    expect(await round('thumbs')).toMatchObject({ offen: 0, fertig: true })
    expect((await fetch(`${on.service.url}/t/m/broken.png.webp`)).status).toBe(200)
    const [variant = ''] = (await stored('files/m/broken')()).filter(name => name.includes('~w-'))
    await removeObject(on.service.dataDir, variant)
    expect(await round('webp')).toEqual({ bearbeitet: 1, offen: 0, fertig: true })
    for (const name of ['broken.png', 'noise.jpg']) await remove(on.service, on.token, `m/${name}`)
  })

  test('progress is told, and two who drive at once do no harm', async () => {
    const events = await listen()
    for (const name of await stored('thumbs/m/')()) await removeObject(on.service.dataDir, name)
    const rounds = await Promise.all([round('thumbs'), round('thumbs')])
    expect(rounds.some(({ fertig }) => fertig)).toBe(true)
    expect(await stored('thumbs/m/')()).toHaveLength(4)
    expect((await fetch(`${on.service.url}/t/m/1.png.webp`)).status).toBe(200)
    await eventually('progress is told', () => /"thumbs".*"gesamt":4,"fertig":true/.test(events.text()))
    events.close()
  })
})

describe('orphans', () => {
  test('objects without an entry and entries without an object are shown; a young object is not removed', async () => {
    const orphan = 'files/o/left~0123456789abcdef.txt'
    await writeObject(on.service.dataDir, orphan, 'left behind')
    await writeObject(on.service.dataDir, 'files/o/mine.txt', "an operator's own")
    await store(on.service, on.token, 'o/lost.txt', 'lost')
    const [object = ''] = await objectFiles(on.service.dataDir, 'o/lost.txt')
    await removeObject(on.service.dataDir, object)
    const found = await eventually('the orphan is shown', async () => {
      const answer = await answered<Record<string, unknown>>(await post('verwaiste'))
      return (answer.ohne_eintrag as string[]).length > 0 && answer
    })
    const expected = {
      ohne_eintrag: [orphan],
      ohne_datei: ['o/lost.txt'],
      papierkorb_ohne_datei: [],
      gesamt: { ohne_eintrag: 1, ohne_datei: 1, papierkorb_ohne_datei: 0 },
      bytes: 11,
      entfernt: 0,
      zu_jung: 1,
    }
    expect(found).toEqual(expected)
    // Its row may be about to be written: the sweep's minimum age of an hour applies here too.
    expect(await answered<Record<string, unknown>>(await post('verwaiste', { aufraeumen: true }))).toEqual(
      expected,
    )
    expect(await storedFiles(on.service.dataDir)).toEqual(
      expect.arrayContaining([orphan, 'files/o/mine.txt']),
    )
    await writeObject(on.service.dataDir, object, 'lost')
    expect(await (await read(on.service, 'o/lost.txt')).text()).toBe('lost')
  })

  test.each([[{ aufraeumen: 'ja' }], [{ aufraumen: true }], [[]], ['text']])('%j is refused', async json => {
    await expectError(await post('verwaiste', json), 400)
  })
})

describe('integrity', () => {
  interface State {
    laeuft: boolean
    runde: { seit: number | null; gelesen: { dateien: number }; gesamt: { dateien: number; bytes: number } }
    geprueft_bis: number | null
    befunde: { pfad: string; grund: string; code: string; seit: number; papierkorb: boolean }[]
    weitere: number
  }
  const state = async () =>
    answered<State>(await dash(on.service, 'maintenance/integritaet', { session: on.session }))
  async function checkAll(): Promise<State> {
    const before = (await state()).geprueft_bis
    await answered<State>(await post('integritaet'))
    return eventually('everything is read', async () => {
      const now = await state()
      return now.geprueft_bis !== before && !now.laeuft && now
    })
  }

  test('before anything was read; then a whole check, which finds changed bytes and forgets them when healed', async () => {
    expect(await state()).toMatchObject({ laeuft: false, geprueft_bis: null, befunde: [], weitere: 0 })
    await store(on.service, on.token, 'i/rotten.txt', 'rotten')
    const [object = ''] = await objectFiles(on.service.dataDir, 'i/rotten.txt')
    await writeObject(on.service.dataDir, object, 'ROTTEN')
    const events = await listen()
    const found = await checkAll()
    expect(found.befunde).toEqual([
      {
        pfad: 'i/rotten.txt',
        grund: 'Der Inhalt der Datei hat sich verändert: die Prüfsumme stimmt nicht.',
        code: 'finding-content',
        seit: expect.any(Number),
        papierkorb: false,
      },
    ])
    await eventually('its end is told', () => /"integritaet".*"fertig":true/.test(events.text()))
    events.close()
    const { integritaet } = await answered<{ integritaet: Pick<State, 'befunde' | 'geprueft_bis'> }>(
      await dash(on.service, 'uebersicht', { session: on.session }),
    )
    expect([integritaet.befunde, integritaet.geprueft_bis]).toEqual([found.befunde, found.geprueft_bis])
    await writeObject(on.service.dataDir, object, 'rotten')
    expect((await checkAll()).befunde).toEqual([])
  })
})

async function listen() {
  const controller = new AbortController()
  const response = await fetch(`${on.service.url}/api/dash/ereignisse`, {
    headers: { Cookie: `fundus_sitzung=${on.session}` },
    signal: controller.signal,
  })
  let text = ''
  const reading = async () => {
    const decoder = new TextDecoder()
    for await (const part of response.body!) text += decoder.decode(part, { stream: true })
  }
  reading().catch(() => {})
  await eventually('the stream is ready', () => text.includes('bereit'))
  return { text: () => text, close: () => controller.abort() }
}
