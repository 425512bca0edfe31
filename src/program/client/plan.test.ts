import { expect, test } from 'bun:test'
import { planPaths } from './plan.ts'

const plan = (names: string[], options: { prefix?: string; cleanNames?: boolean } = {}) => {
  const { plannedFiles, unfitFiles } = planPaths(
    names.map(name => ({ name })),
    { prefix: '', cleanNames: false, ...options },
  )
  return { paths: plannedFiles.map(({ path }) => path), unfit: unfitFiles.map(({ source }) => source) }
}

test.each([
  ['lower case, below the prefix', ['A/B.PNG'], { prefix: 'items' }, ['items/a/b.png'], []],
  ['a name that breaks the rules', ['a b.png', 'c.png'], {}, ['c.png'], ['a b.png']],
  [
    'cleaned only when asked, and only where needed',
    ['A b.png', 'C..d.png'],
    { cleanNames: true },
    ['a-b.png', 'c..d.png'],
    [],
  ],
  ['too deep together with the prefix', ['1/2/3/4/5/6/7.png'], { prefix: 'x/y' }, [], ['1/2/3/4/5/6/7.png']],
  [
    'too deep cannot be cleaned',
    ['1/2/3/4/5/6/7/8/9.png'],
    { cleanNames: true },
    [],
    ['1/2/3/4/5/6/7/8/9.png'],
  ],
  ['the first of two keeps the path', ['A.png', 'a.png'], {}, ['a.png'], ['a.png']],
  ['twins made by cleaning', ['ä.png', 'ae.png'], { cleanNames: true }, ['ae.png'], ['ae.png']],
])('%s', (_, names, options, paths, unfit) =>
  expect(plan(names as string[], options as { prefix?: string; cleanNames?: boolean })).toEqual({
    paths: paths as string[],
    unfit: unfit as string[],
  }),
)

test('an empty file is unfit', () =>
  expect(
    planPaths([{ name: 'a.txt', size: 0 }], { prefix: '', cleanNames: false }).unfitFiles[0]?.reason,
  ).toEqual([expect.stringContaining('leer'), expect.stringContaining('empty')]))

test('files that come little by little: the same name again is no twin of itself', () => {
  const options = { prefix: '', cleanNames: false, plannedSources: new Map<string, string>() }
  expect(planPaths([{ name: 'a.txt' }], options).plannedFiles).toHaveLength(1)
  expect(planPaths([{ name: 'a.txt' }], options).plannedFiles).toHaveLength(1)
  expect(planPaths([{ name: 'A.txt' }], options).plannedFiles).toHaveLength(0)
})

test('two sources with the same name are twins', () => {
  const items = ['http://a/l.png', 'http://b/l.png'].map(from => ({ from, name: 'l.png' }))
  const { plannedFiles, unfitFiles } = planPaths(items, { prefix: '', cleanNames: false })
  expect([plannedFiles.length, unfitFiles]).toEqual([
    1,
    [
      {
        source: 'http://b/l.png',
        reason: [
          'ergäbe denselben Pfad wie „http://a/l.png“: l.png',
          'would get the same path as “http://a/l.png”: l.png',
        ],
      },
    ],
  ])
})
