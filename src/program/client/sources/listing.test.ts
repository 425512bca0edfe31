import { expect, test } from 'bun:test'
import { itemsOfAddressList } from './addresses.ts'
import { itemsOfListing } from './listing.ts'

const how = { fetchFile: () => Promise.reject(new Error('not fetched')), flat: false }
const URL_OF = 'https://alt.example/team/x1.png'

test.each([
  ['a bare list', [{ url: URL_OF }], ['team/x1.png']],
  ['a list under data', { status: 'ok', data: [{ url: URL_OF }] }, ['team/x1.png']],
  ['a list two levels down', { data: { files: [{ url: URL_OF }] } }, ['team/x1.png']],
  [
    'the export of a Fundus: path is the whole path',
    [{ url: URL_OF, path: 'a/b.png', sha256: 'h' }],
    ['a/b.png'],
  ],
  ['a folder and a file name', [{ url: URL_OF, path: 'a/', filename: 'b.png' }], ['a/b.png']],
  ['the file name stands in the path too', [{ url: URL_OF, path: 'a/b.png', name: 'b.png' }], ['a/b.png']],
  ['a file name alone', [{ url: URL_OF, filename: 'b.png' }], ['b.png']],
  ['the same address twice', [{ url: URL_OF }, { url: URL_OF }], ['team/x1.png']],
])('%s', (_, listing, names) =>
  expect(itemsOfListing(JSON.stringify(listing), how).items.map(({ name }) => name)).toEqual(names),
)

test.each([
  ['no JSON', '[', 'kein gültiges JSON'],
  ['no list', '{"a": 1}', 'keine Liste'],
  ['an entry without an address', '[{"url": "https://a/b"}, {"name": "x"}]', 'Eintrag 2'],
  ['an address of another kind', '[{"url": "ftp://a/b"}]', 'Eintrag 1'],
])('%s is refused', (_, json, part) => expect(() => itemsOfListing(json, how)).toThrow(part))

test.each([
  ['https://h/a/b%20c.png', 'a/b c.png', false],
  ['https://h/a/b.png?x=1#y', 'a/b.png', false],
  ['https://h/a/b.png', 'b.png', true],
  ['https://h/%ff.png', '%ff.png', false],
  ['https://h/', '', false],
  ['https://h/a.png neu/b.png', 'neu/b.png', false],
])('a line %s has the name %j', (line, name, flat) =>
  expect(itemsOfAddressList(line, { ...how, flat }).map(item => item.name)).toEqual([name]),
)
