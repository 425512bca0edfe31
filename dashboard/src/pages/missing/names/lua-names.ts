/**
 * Reads names from Lua text. In an item table of ox_inventory or qb-core (scripts for game servers), each
 * item gives the file name of its picture or, if it has none, its own name. If there are no items, all names
 * in the tables count.
 */
import { type LuaField, type LuaTable, luaTables } from './lua-tables.ts'

/**
 * A table that has one of these keys, with a value that is not a table, is an item. Any other table is
 * searched for items.
 */
const ITEM_KEYS = new Set(['label', 'name', 'image', 'weight', 'description'])

export function luaNames(text: string): string[] {
  const tables = luaTables(text)
  const namesOfItems = itemNames(tables)
  return namesOfItems.length > 0 ? namesOfItems : plainNames(tables)
}

function itemNames(table: LuaTable): string[] {
  return table.flatMap(({ key, value }) => {
    if (!isTable(value)) return []
    if (!isItem(value)) return itemNames(value)
    const name = imageNameOf(value) ?? key ?? stringField(value, 'name')
    return name === null ? [] : [name]
  })
}

const isItem = (table: LuaTable) =>
  table.some(({ key, value }) => key !== null && ITEM_KEYS.has(key) && !isTable(value))

/**
 * The file name of an item’s picture; null if it has none. It comes from the field `image`: in qb-core a
 * field of the item, in ox_inventory a field of the item’s `client`. Of an address, only the part after the
 * last slash counts, without query and fragment.
 */
function imageNameOf(item: LuaTable): string | null {
  const client = item.find(({ key }) => key === 'client')?.value
  const image = stringField(item, 'image') ?? (isTable(client) ? stringField(client, 'image') : null)
  const fileName = image
    ?.replace(/[?#].*$/, '')
    .split('/')
    .at(-1)
  return fileName || null
}

function stringField(table: LuaTable, keyName: string): string | null {
  const value = table.find(({ key }) => key === keyName)?.value
  return typeof value === 'string' ? value : null
}

/**
 * The names in a table without items: `{ 'apple', 'bread' }` or `{ apple = true, bread = 3, water = {} }`.
 */
function plainNames(table: LuaTable): string[] {
  return table.flatMap(({ key, value }) => {
    if (isTable(value) && (key === null || value.length > 0)) return plainNames(value)
    if (key === null) return typeof value === 'string' ? [value] : []
    return [key]
  })
}

const isTable = (value: LuaField['value'] | undefined): value is LuaTable => Array.isArray(value)
