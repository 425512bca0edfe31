import { expect, test } from 'bun:test'
import { createExposition, expositionText } from './exposition.ts'
import { BUCKET_BOUNDS, createHistogram } from './histogram.ts'

test('families with their help, their kind and their samples; a final line end', () => {
  const exposition = createExposition()
  exposition.add('counter', 'a_total', 'What is counted.', [
    [{ scope: 'api', status: '2xx' }, 3],
    [{}, 0.5],
  ])
  exposition.add('gauge', 'b', 'Nothing yet.', [])
  expect(expositionText(exposition.figures())).toBe(
    [
      '# HELP a_total What is counted.',
      '# TYPE a_total counter',
      'a_total{scope="api",status="2xx"} 3',
      'a_total 0.5',
      '# HELP b Nothing yet.',
      '# TYPE b gauge',
      '',
    ].join('\n'),
  )
})

test('what would end a label or a line is escaped', () => {
  const exposition = createExposition()
  exposition.add('gauge', 'a', 'back\\slash\nline', [[{ name: 'q"uo\\te\n' }, 1]])
  expect(expositionText(exposition.figures())).toContain('# HELP a back\\\\slash\\nline\n')
  expect(expositionText(exposition.figures())).toContain('a{name="q\\"uo\\\\te\\n"} 1')
})

test('a histogram: each bound holds what lies below it too, and the last holds all', () => {
  const histogram = createHistogram()
  for (const seconds of [0.001, 0.005, 0.006, 2, 1000]) histogram.observe(seconds)
  const exposition = createExposition()
  exposition.addHistogram('took_seconds', 'How long.', [[{ scope: 'api' }, histogram]])
  const lines = expositionText(exposition.figures()).split('\n')
  const bucket = (le: string) =>
    Number(lines.find(line => line.startsWith(`took_seconds_bucket{scope="api",le="${le}"}`))?.split(' ')[1])
  expect([...BUCKET_BOUNDS.map(String), '+Inf'].map(bucket)).toEqual([
    2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5,
  ])
  expect(lines).toContain('took_seconds_count{scope="api"} 5')
  expect(lines).toContain(`took_seconds_sum{scope="api"} ${0.001 + 0.005 + 0.006 + 2 + 1000}`)
})
