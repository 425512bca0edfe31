import { expect, test } from 'bun:test'
import { createPreview } from './preview.ts'

test('conflicts come first with their reason; retrievals are added up', () => {
  const treffer = ['a', 'b', 'c'].map((von, at) => ({ von, nach: `${von}2`, abrufe: at * 10 }))
  const konflikte = [{ von: 'b', nach: 'b2', grund: 'Belegt.', code: 'path-taken' }]
  expect(createPreview({ treffer, konflikte })).toEqual({
    rows: [
      { from: 'b', to: 'b2', conflict: konflikte[0]! },
      { from: 'a', to: 'a2', conflict: null },
      { from: 'c', to: 'c2', conflict: null },
    ],
    conflictCount: 1,
    retrievalCount: 30,
  })
})
