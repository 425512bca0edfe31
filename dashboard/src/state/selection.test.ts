import { describe, expect, test } from 'bun:test'
import { createSelection } from './selection.ts'

interface Entry {
  id: string
  path: string
}

const entry = (id: string): Entry => ({ id, path: `items/${id}.png` })
const PAGE = ['a', 'b', 'c', 'd', 'e'].map(entry)

/** A selection of these entries, the last one chosen by itself; `z` and `y` are on another page. */
function selectionOf(...chosen: string[]) {
  const selection = createSelection<Entry, { total: number }>(({ id }) => id)
  selection.show(['z', 'y'].map(entry))
  for (const id of chosen.filter(each => each > 'e')) selection.toggle(id)
  selection.show(PAGE, { wholeList: { total: 9 } })
  for (const id of chosen.filter(each => each <= 'e')) selection.toggle(id)
  return selection
}

const ids = (selection: ReturnType<typeof selectionOf>) =>
  [...selection.state().selectedItems.keys()].toSorted().join('')

describe('choosing', () => {
  test('a click chooses one and lets the others go', () => {
    const selection = selectionOf('a', 'c')
    selection.selectOnly('b')
    expect(ids(selection)).toBe('b')
  })

  test('ctrl adds, and takes away again', () => {
    const selection = selectionOf('a', 'c')
    expect(ids(selection)).toBe('ac')
    selection.toggle('a')
    expect(ids(selection)).toBe('c')
  })

  test.each([
    ['b', 'd', 'bcd'],
    ['d', 'b', 'bcd'],
    ['c', 'c', 'c'],
  ])('shift from %s to %s: %s', (from, to, expected) => {
    const selection = selectionOf(from)
    selection.selectRangeTo(to)
    expect(ids(selection)).toBe(expected)
  })

  test('shift again begins at the same anchor', () => {
    const selection = selectionOf('b')
    selection.selectRangeTo('e')
    selection.selectRangeTo('c')
    expect(ids(selection)).toBe('bc')
  })

  test.each([[['z']], [[]]])('shift without an anchor on this page is a click: %p', chosen => {
    const selection = selectionOf(...chosen)
    selection.selectRangeTo('c')
    expect(ids(selection)).toBe('c')
  })

  test('ctrl and shift keep what was chosen', () => {
    const selection = selectionOf('a', 'd')
    selection.selectRangeTo('e', true)
    expect(ids(selection)).toBe('ade')
  })

  test.each(['selectRangeTo', 'toggle'] as const)('%s of an entry that is gone changes nothing', name => {
    const selection = selectionOf('a')
    selection[name]('gone')
    expect(ids(selection)).toBe('a')
  })

  test.each([
    ['downwards', ['b'], 'd', 'bcd'],
    ['upwards', ['d'], 'a', 'abcd'],
    ['out of the selection alike', ['a', 'b', 'c'], 'b', 'a'],
    ['an anchor of another page counts for nothing', ['z'], 'c', 'cz'],
  ])('the boxes of a range become alike: %s', (_, before, key, after) => {
    const selection = selectionOf(...before)
    selection.toggle(key, true)
    expect(ids(selection)).toBe(after)
  })

  test('all, and all again: none; entries of other pages stay', () => {
    const selection = selectionOf('z')
    selection.togglePage()
    expect(ids(selection)).toBe('abcdez')
    selection.togglePage()
    expect(ids(selection)).toBe('z')
  })

  test('the rubber band replaces, or with ctrl adds', () => {
    const selection = selectionOf('a')
    const before = selection.state().selectedItems
    selection.selectBand(new Set(['c', 'd']), [])
    expect(ids(selection)).toBe('cd')
    selection.selectBand(new Set(['c', 'd']), before)
    expect(ids(selection)).toBe('acd')
  })

  test.each([
    [[], 'none'],
    [['z'], 'none'],
    [['a'], 'some'],
    [['a', 'b', 'c', 'd', 'e', 'z'], 'all'],
  ] as const)('how much of the page: %p', (chosen, extent) =>
    expect<string>(selectionOf(...chosen).pageExtent()).toBe(extent),
  )

  test('nothing of an empty page', () => {
    expect(createSelection<Entry>(({ id }) => id).pageExtent()).toBe('none')
  })
})

describe('the whole result', () => {
  test('is offered when the page is chosen, and left by any further change', () => {
    const selection = selectionOf('a')
    expect(selection.maySelectWholeList()).toBe(false)
    selection.setPageSelected(true)
    expect(selection.maySelectWholeList()).toBe(true)
    selection.selectWholeList()
    expect(selection.getSelected()).toEqual({ total: 9 })
    selection.toggle('c')
    expect(ids(selection)).toBe('abde')
  })

  test('ends with its place', () => {
    const selection = selectionOf()
    selection.selectWholeList()
    selection.show(PAGE, { listKey: 'elsewhere', wholeList: { total: 9 } })
    expect(selection.hasSelection()).toBe(false)
  })
})

describe('when entries change', () => {
  test('deleted and moved ones are let go', () => {
    const selection = selectionOf('a', 'b', 'c', 'd', 'e')
    selection.deselectWhere(({ path }) => ['items/a.png', 'items/e.png'].includes(path))
    expect(ids(selection)).toBe('bcd')
  })

  test('a renamed one is known by its new path', () => {
    const selection = selectionOf('a', 'b')
    selection.show([PAGE[0]!, { id: 'b', path: 'items/new.png' }])
    expect(selection.state().selectedItems.get('b')?.path).toBe('items/new.png')
  })
})

describe('the keyboard', () => {
  test('is at the first entry until it is moved, and again when its entry is gone', () => {
    const selection = selectionOf()
    expect(selection.isTabbable('a')).toBe(true)
    selection.setCursor('c')
    expect([selection.isTabbable('a'), selection.isTabbable('c')]).toEqual([false, true])
    selection.show([PAGE[0]!, PAGE[1]!])
    expect(selection.isTabbable('a')).toBe(true)
  })

  test('a step tells the watchers once, and standing still not at all', () => {
    const selection = selectionOf()
    let told = 0
    selection.subscribe(() => told++)
    selection.setCursor('c')
    selection.setCursor('c')
    expect(told).toBe(1)
  })
})
