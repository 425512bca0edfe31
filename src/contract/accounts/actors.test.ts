import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { actorText, type NamedActor, OPERATOR_ACTOR, parseActor, SERVICE_ACTOR } from './actors.ts'

test.each<[NamedActor, string]>([
  [SERVICE_ACTOR, 'Fundus'],
  [OPERATOR_ACTOR, 'Kommandozeile'],
  [{ kind: 'token', name: 'Bot' }, 'Token Bot'],
  [{ kind: 'token', name: 'Konto anna' }, 'Token Konto anna'],
  [{ kind: 'drop', name: 'handed/in' }, 'Abgabe handed/in'],
  [{ kind: 'account', name: 'Abgabe x' }, 'Konto Abgabe x'],
  [{ kind: 'account', name: 'anna' }, 'anna'],
  [{ kind: 'account', name: 'Fundusfreund' }, 'Fundusfreund'],
  [{ kind: 'account', name: 'Tokenverwalterin' }, 'Tokenverwalterin'],
  [{ kind: 'account', name: 'Fundus' }, 'Konto Fundus'],
  [{ kind: 'account', name: 'fundus' }, 'Konto fundus'],
  [{ kind: 'account', name: 'Kommandozeile' }, 'Konto Kommandozeile'],
  [{ kind: 'account', name: 'unbekannt' }, 'Konto unbekannt'],
  [{ kind: 'account', name: 'Token Bot' }, 'Konto Token Bot'],
  [{ kind: 'account', name: 'Konto Fundus' }, 'Konto Konto Fundus'],
])('%j is written %j, and read again', (actor, text) => {
  expect(actorText(actor)).toBe(text)
  expect(parseActor(text)).toEqual(actor)
})

test('no account and no token is written like anybody else', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('Fundus', 'Kommandozeile', 'Token x', 'Konto x', 'Konto Token x'),
  )
  const actor = fc.record({ kind: fc.constantFrom('account' as const, 'token' as const), name })
  fc.assert(fc.property(actor, each => expect(parseActor(actorText(each))).toEqual(each)))
})
