/** `POST /api/dash/media/ersetzen`: computed first, executed on request, all or nothing. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { keys, sharedLibrary } from '../support/library.ts'
import { png, tintOf } from '../support/pictures.ts'
import { memoryOf } from '../support/processes.ts'
import { seedFiles } from '../support/seed.ts'

const on = sharedLibrary({ ownProcess: true })

interface Answer {
  treffer: { von: string; nach: string; abrufe: number }[]
  konflikte: { von: string; nach: string; grund: string; code: string }[]
  ausgefuehrt: boolean
}
interface Task {
  suche: string
  ersatz: string
  ordner?: string
  pfade?: string[]
  regex?: boolean
  ausfuehren?: boolean
}
const replace = (task: Task) => on.done<Answer>('media/ersetzen', task)
const ask = (task: unknown) => on.post('media/ersetzen', task)
const pairs = ({ treffer }: Answer) => treffer.map(({ von, nach }) => [von, nach])
const conflicting = ({ konflikte }: Pick<Answer, 'konflikte'>) =>
  konflikte.map(({ von, nach }) => [von, nach])

/** Checks that execution is refused as a whole; returns the conflicts. */
async function refusedConflicts(task: Task): Promise<Answer['konflikte']> {
  const response = await ask({ ...task, ausfuehren: true })
  const body = (await response.json()) as { error: string; konflikte: Answer['konflikte'] }
  expect([response.status, keys(body)]).toEqual([409, ['error', 'konflikte']])
  expect(body.error).toMatch(/^\p{Lu}[^\n]*\.$/u)
  for (const each of body.konflikte) {
    expect(keys(each)).toEqual(['code', 'grund', 'nach', 'von'])
    expect(each.grund).toMatch(/^[\p{Lu}„][^\n]*\.$/u)
  }
  return body.konflikte
}

describe('a dry run', () => {
  test.each([
    ['trocken', {}],
    ['trocken2', { ausfuehren: false }],
  ])('shows and changes nothing: in %s with %j', async (ordner, more) => {
    await on.fill(ordner, { 'alt-a.txt': 'a', 'alt-b.txt': 'b', 'c.txt': 'c' })
    const before = await on.below(ordner)
    const answer = await replace({ suche: 'alt-', ersatz: 'neu-', ordner, ...more })
    expect(keys(answer)).toEqual(['ausgefuehrt', 'konflikte', 'treffer'])
    expect(answer).toEqual({
      treffer: [
        { von: `${ordner}/alt-a.txt`, nach: `${ordner}/neu-a.txt`, abrufe: 0 },
        { von: `${ordner}/alt-b.txt`, nach: `${ordner}/neu-b.txt`, abrufe: 0 },
      ],
      konflikte: [],
      ausgefuehrt: false,
    })
    expect(await on.below(ordner)).toEqual(before)
    await on.holds(`${ordner}/alt-a.txt`, 'a')
    await on.holds(`${ordner}/neu-a.txt`, null)
  })

  test('in a folder that is absent: 404, executed or not; the twin without a hit is no error', async () => {
    await on.fill('da', ['a.txt'])
    for (const ausfuehren of [false, true]) {
      for (const regex of [false, true]) {
        const task = { suche: 'kommt-nicht-vor', ersatz: 'x', regex, ausfuehren }
        await expectError(await ask({ ...task, ordner: 'gibt-es-nicht' }), 404, /Ordner/)
        await expectError(await ask({ ...task, ordner: 'da/a.txt' }), 404, /Ordner/)
        expect((await replace({ ...task, ordner: 'da' })).treffer).toEqual([])
      }
    }
  })

  test('names the true count of retrievals, the part still in memory included', async () => {
    await on.fill('gezaehlt', ['alt-a.txt'])
    // With several instances, all requests go to the same one: each counts retrievals in its own memory.
    const { url } = on.service.instances[0]!
    for (let n = 0; n < 3; n++) await (await read({ url }, 'gezaehlt/alt-a.txt')).text()
    const json = { suche: 'alt-', ersatz: 'neu-', ordner: 'gezaehlt' }
    const answer = await dash({ url }, 'media/ersetzen', { json, session: on.session })
    expect(((await answer.json()) as Answer).treffer.map(({ abrufe }) => abrufe)).toEqual([3])
  })

  test('without a hit: empty, executed or not', async () => {
    for (const ausfuehren of [false, true]) {
      const { treffer, konflikte } = await replace({ suche: 'kommt-nicht-vor', ersatz: 'x', ausfuehren })
      expect([treffer, konflikte]).toEqual([[], []])
    }
  })
})

describe('a selection', () => {
  test('only these files, and none that is not there', async () => {
    await on.fill('wahl', ['rot-a.txt', 'rot-b.txt', 'rot-c.txt', 'tief/rot-d.txt'])
    const pfade = ['wahl/rot-c.txt', 'wahl/rot-a.txt', 'wahl/rot-a.txt', 'wahl/gibt-es-nicht.txt']
    const answer = await replace({ suche: 'rot-', ersatz: 'blau-', pfade, ausfuehren: true })
    expect(pairs(answer)).toEqual([
      ['wahl/rot-a.txt', 'wahl/blau-a.txt'],
      ['wahl/rot-c.txt', 'wahl/blau-c.txt'],
    ])
    expect(await on.below('wahl')).toEqual([
      'wahl/blau-a.txt',
      'wahl/blau-c.txt',
      'wahl/rot-b.txt',
      'wahl/tief/rot-d.txt',
    ])
  })

  test('within a folder, when both are given; expressions too', async () => {
    await on.fill('beide', ['eins/k1.txt', 'zwei/k2.txt'])
    const answer = await replace({
      suche: 'k(\\d)',
      ersatz: 'n$1',
      regex: true,
      ordner: 'beide/eins',
      pfade: ['beide/eins/k1.txt', 'beide/zwei/k2.txt'],
    })
    expect(pairs(answer)).toEqual([['beide/eins/k1.txt', 'beide/eins/n1.txt']])
  })

  test('a file outside of it may stand in the way', async () => {
    await on.fill('wahl-weg', ['alt.txt', 'neu.txt'])
    const conflicts = await refusedConflicts({ suche: 'alt', ersatz: 'neu', pfade: ['wahl-weg/alt.txt'] })
    expect(conflicting({ konflikte: conflicts })).toEqual([['wahl-weg/alt.txt', 'wahl-weg/neu.txt']])
  })

  test('an empty one is a mistake, not everything', async () => {
    await expectError(await ask({ suche: 'a', ersatz: 'b', pfade: [], ausfuehren: true }), 400)
  })
})

describe('text', () => {
  test('every match in a path, executed', async () => {
    await on.fill('jeder', ['ab-ab/ab.ab', 'x/nichts.txt'])
    const answer = await replace({ suche: 'ab', ersatz: 'xyz', ordner: 'jeder', ausfuehren: true })
    expect(pairs(answer)).toEqual([['jeder/ab-ab/ab.ab', 'jeder/xyz-xyz/xyz.xyz']])
    expect(answer.ausgefuehrt).toBe(true)
    expect(await on.below('jeder')).toEqual(['jeder/x/nichts.txt', 'jeder/xyz-xyz/xyz.xyz'])
    await on.holds('jeder/xyz-xyz/xyz.xyz', 'jeder/ab-ab/ab.ab')
  })

  test('is literal: neither expression nor pattern, and case counts', async () => {
    await on.fill('wort', ['a.b.txt', 'axb.txt', 'a_c.txt', 'ayc.txt'])
    expect(pairs(await replace({ suche: 'a.b', ersatz: 'q', ordner: 'wort' }))).toEqual([
      ['wort/a.b.txt', 'wort/q.txt'],
    ])
    expect(pairs(await replace({ suche: 'a_c', ersatz: 'q', ordner: 'wort' }))).toEqual([
      ['wort/a_c.txt', 'wort/q.txt'],
    ])
    for (const suche of ['A.B', '%', '*', '(', '^wort', '\\', "'", '"']) {
      expect((await replace({ suche, ersatz: 'q', ordner: 'wort' })).treffer).toEqual([])
    }
  })

  test.each(['$&', '$1', '$$', '$`', '\\1'])(
    'the replacement %s is literal too, so invalid',
    async ersatz => {
      await on.fill('dollar', { 'a.txt': 'kept' })
      const answer = await replace({ suche: 'a.', ersatz, ordner: 'dollar' })
      expect(conflicting(answer)).toEqual([['dollar/a.txt', `dollar/${ersatz}txt`]])
    },
  )

  test('may be replaced by nothing, and may move files to other folders', async () => {
    await on.fill('leer', ['kopie-a.txt', 'tief/kopie-b.txt'])
    await replace({ suche: 'kopie-', ersatz: '', ordner: 'leer', ausfuehren: true })
    expect(await on.below('leer')).toEqual(['leer/a.txt', 'leer/tief/b.txt'])
    await replace({ suche: 'leer/tief/', ersatz: 'voll/Hier/', ausfuehren: true })
    await on.holds('voll/Hier/b.txt', 'leer/tief/kopie-b.txt')
    expect(await on.below('leer')).toEqual(['leer/a.txt'])
  })

  test('only below the folder, on / boundaries', async () => {
    await on.fill('', ['hof/n.txt', 'hof/tief/n.txt', 'hof2/n.txt', 'hof.n.txt', 'x/hof/n.txt'])
    const answer = await replace({ suche: 'n.txt', ersatz: 'm.txt', ordner: 'hof', ausfuehren: true })
    expect(pairs(answer)).toEqual([
      ['hof/n.txt', 'hof/m.txt'],
      ['hof/tief/n.txt', 'hof/tief/m.txt'],
    ])
    for (const path of ['hof2/n.txt', 'hof.n.txt', 'x/hof/n.txt']) await on.holds(path, path)
    await expectError(await ask({ suche: 'n.txt', ersatz: 'q', ordner: 'nirgends' }), 404)
  })
})

describe('regular expressions', () => {
  test('groups, anchors, all matches', async () => {
    await on.fill('rx', ['img_001.png', 'img_002.png', 'text.txt'])
    const task = { suche: '^(rx)/img_0*([0-9]+)\\.png$', ersatz: '$1/bild-$2.png', regex: true }
    expect(pairs(await replace(task))).toEqual([
      ['rx/img_001.png', 'rx/bild-1.png'],
      ['rx/img_002.png', 'rx/bild-2.png'],
    ])
    await replace({ ...task, ausfuehren: true })
    await on.holds('rx/bild-2.png', 'rx/img_002.png')
    await replace({ suche: 't', ersatz: 'T', regex: true, ordner: 'rx', ausfuehren: true })
    await on.holds('rx/TexT.TxT', 'rx/text.txt')
  })

  test('without regex the same text is only text', async () => {
    await on.fill('rx2', ['a1.txt'])
    expect((await replace({ suche: '[0-9]', ersatz: 'x', ordner: 'rx2' })).treffer).toEqual([])
    expect((await replace({ suche: '[0-9]', ersatz: 'x', ordner: 'rx2', regex: true })).treffer).toHaveLength(
      1,
    )
  })

  test.each(['(', '[a', 'a{2,1}', '*', '(?<x', 'a\\', '(?=x)', '(a)\\1'])('%j is none: 400', async suche => {
    for (const ausfuehren of [false, true]) {
      await expectError(await ask({ suche, ersatz: 'x', regex: true, ausfuehren }), 400, /suche/)
    }
  })

  test.each(['$9', '$', '$x', '${', '$<a>', '\\', '\\9', '$0', '$99999999999999999999'])(
    'the odd replacement %j is shown, and harms nothing',
    async ersatz => {
      await on.fill('odd', { 'abc.txt': 'kept' })
      const response = await ask({ suche: '(abc)', ersatz, regex: true, ordner: 'odd' })
      expect(response.status).toBe(200)
      await on.holds('odd/abc.txt', 'kept')
    },
  )

  test.each(['(a+)+$', '(a|aa)+$', '(a*)*b', '(.*)*(.*)*x$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    '%s does not backtrack without end, and nobody waits for it',
    async suche => {
      const name = `${'a'.repeat(150)}-`
      await on.fill(
        'katastrophe',
        Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${name}${n}`, 'x'])),
      )
      const answer = ask({ suche, ersatz: 'x', regex: true, ordner: 'katastrophe' })
      expect((await fetch(`${on.service.url}/health`)).status).toBe(200)
      expect((await answer).status).toBe(200)
    },
  )
})

describe('conflicts: shown by a dry run; executing is 409 and changes nothing', () => {
  async function showsAndRefuses(task: Task, expected: string[][]): Promise<void> {
    const before = await on.below(task.ordner ?? '')
    const dry = await replace(task)
    expect([conflicting(dry), dry.ausgefuehrt]).toEqual([expected, false])
    expect(await refusedConflicts(task)).toEqual(dry.konflikte)
    expect(await on.below(task.ordner ?? '')).toEqual(before)
    for (const path of before) await on.holds(path, path)
  }

  test.each(['..', 'ä', '//', 'x'.repeat(199)])('an invalid target: %j', async ersatz => {
    await on.fill('k1', ['a1.txt', 'b.txt'])
    await showsAndRefuses({ suche: 'a1', ersatz, ordner: 'k1' }, [['k1/a1.txt', `k1/${ersatz}.txt`]])
  })

  test('a target that is taken, beside one that is free', async () => {
    await on.fill('k2', ['alt1.txt', 'neu1.txt', 'alt2.txt'])
    await showsAndRefuses({ suche: 'alt', ersatz: 'neu', ordner: 'k2' }, [['k2/alt1.txt', 'k2/neu1.txt']])
  })

  test('a target that is taken outside the folder', async () => {
    await on.fill('k3', ['innen/a.txt', 'a.txt'])
    await showsAndRefuses({ suche: 'k3/innen/', ersatz: 'k3/', ordner: 'k3/innen' }, [
      ['k3/innen/a.txt', 'k3/a.txt'],
    ])
  })

  test('two that become one', async () => {
    await on.fill('k4', ['a1.txt', 'a2.txt', 'b3.txt'])
    await showsAndRefuses({ suche: 'a[0-9]', ersatz: 'a', regex: true, ordner: 'k4' }, [
      ['k4/a1.txt', 'k4/a.txt'],
      ['k4/a2.txt', 'k4/a.txt'],
    ])
  })
})

describe('every file moves once', () => {
  test('a chain: each takes the place of the next', async () => {
    await on.fill('kette', ['x', 'xx', 'xxxx', 'xxxxxxxx', 'y'])
    const answer = await replace({ suche: 'x', ersatz: 'xx', ordner: 'kette', ausfuehren: true })
    expect([answer.treffer.length, answer.ausgefuehrt]).toEqual([4, true])
    for (const n of [1, 2, 4, 8]) await on.holds(`kette/${'x'.repeat(2 * n)}`, `kette/${'x'.repeat(n)}`)
    await on.holds('kette/x', null)
    await on.holds('kette/y', 'kette/y')
  })

  test('a swap, with previews', async () => {
    const [red, blue] = [await png({ tint: 'red' }), await png({ tint: 'blue' })]
    await on.fill('tausch', { 'ab.png': red, 'ba.png': blue })
    await Promise.all([on.previewReady('tausch/ab.png'), on.previewReady('tausch/ba.png')])
    const task = { suche: '/([ab])([ab])\\.', ersatz: '/$2$1.', regex: true, ordner: 'tausch' }
    await replace({ ...task, ausfuehren: true })
    const tint = async (path: string) =>
      tintOf(new Uint8Array(await (await fetch(`${on.service.url}/t/${path}.webp`)).arrayBuffer()))
    for (const wait of [0, 300]) {
      await Bun.sleep(wait)
      await on.holds('tausch/ab.png', blue)
      await on.holds('tausch/ba.png', red)
      expect([await tint('tausch/ab.png'), await tint('tausch/ba.png')]).toEqual(['blue', 'red'])
    }
  })

  test('a ring of three, three times round', async () => {
    await on.fill('ring', ['abc', 'bca', 'cab'])
    const task = { suche: '/(.)(.)(.)$', ersatz: '/$2$3$1', regex: true, ordner: 'ring', ausfuehren: true }
    await replace(task)
    await on.holds('ring/bca', 'ring/abc')
    await on.holds('ring/cab', 'ring/bca')
    await on.holds('ring/abc', 'ring/cab')
    for (let n = 0; n < 2; n++) await replace(task)
    for (const name of ['abc', 'bca', 'cab']) await on.holds(`ring/${name}`, `ring/${name}`)
  })
})

describe('what would be too much', () => {
  const folder = `gross/${'a'.repeat(170)}`
  const COUNT = isOrdinaryRun ? 4000 : 8000
  beforeAll(() => seedFiles(on.service.dataDir, folder, COUNT))

  test.each(isOrdinaryRun ? [false] : [false, true])(
    'targets far too long are not kept whole, regex %j',
    async regex => {
      const before = memoryOf(on.service.pid)
      let peak = before
      const watching = setInterval(() => {
        peak = Math.max(peak, memoryOf(on.service.pid))
      }, 50)
      const answer = await replace({ suche: 'a', ersatz: 'x'.repeat(200), ordner: 'gross', regex })
      clearInterval(watching)
      expect([answer.treffer.length, answer.konflikte.length]).toEqual([COUNT, COUNT])
      for (const { nach } of answer.konflikte) expect(nach.length).toBeLessThanOrEqual(401)
      // In full, each of the new paths would have 34 thousand characters.
      expect(peak - before).toBeLessThan(COUNT * 32_000)
    },
  )

  test('an expression that takes seconds for one path keeps nobody else waiting', async () => {
    await seedFiles(on.service.dataDir, `steht/${'a'.repeat(180)}`, 1)
    let going = true
    let worst = 0
    const task = { suche: '((a?){30}){10}x|.', ersatz: 'y', ordner: 'steht', regex: true }
    const answer = replace(task).finally(() => {
      going = false
    })
    const started = performance.now()
    while (going) {
      const asked = performance.now()
      expect((await fetch(`${on.service.url}/health`)).status).toBe(200)
      worst = Math.max(worst, performance.now() - asked)
      await Bun.sleep(10)
    }
    expect((await answer).treffer).toHaveLength(1)
    const took = performance.now() - started
    // Long enough to show on a fast machine that others did not wait for it.
    expect(took).toBeGreaterThan(200)
    expect(worst).toBeLessThan(took / 2)
  })
})

test.each<[unknown]>([
  [{}],
  [{ suche: '', ersatz: 'x' }],
  [{ suche: 'a' }],
  [{ ersatz: 'a' }],
  [{ suche: 1, ersatz: 'x' }],
  [{ suche: 'a', ersatz: null }],
  [{ suche: 'a', ersatz: 'x', ausfuehren: 'true' }],
  [{ suche: 'a', ersatz: 'x', ausfuehren: 1 }],
  [{ suche: 'a', ersatz: 'x', regex: 'ja' }],
  [{ suche: 'a', ersatz: 'x', ordner: '..' }],
  [{ suche: 'a', ersatz: 'x', ordner: 7 }],
  [[]],
  [null],
])('%j: 400', async json => {
  await expectError(await ask(json), 400)
})
