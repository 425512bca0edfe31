/**
 * Parses the tables in Lua text. It accepts any text: a value that is neither a table nor a plain string
 * becomes null.
 */

/** A token of Lua text. Comments are skipped; numbers have the kind `symbol`, like punctuation. */
interface LuaToken {
  kind: 'string' | 'name' | 'symbol'
  text: string
}

/**
 * Matches a long comment, a comment, a long string, a string in single or double quotes, a name, a number or
 * a punctuation character.
 */
const LUA_TOKEN =
  /--\[(=*)\[[\s\S]*?\]\1\]|--[^\n]*|\[(=*)\[([\s\S]*?)\]\2\]|"((?:\\[\s\S]|[^"\\\n])*)"|'((?:\\[\s\S]|[^'\\\n])*)'|([A-Za-z_]\w*)|(\d[\w.]*|[^\s\w])/g

export interface LuaField {
  /** The key; null for an entry of a list, or for a key that is not plain text. */
  key: string | null
  /** The value; null for a number, a function or another expression. */
  value: string | LuaTable | null
}
export type LuaTable = readonly LuaField[]

const OPENING_BRACKETS = new Set(['(', '[', '{'])
const CLOSING_BRACKETS = new Set([')', ']', '}'])
/** Words that open and words that close a block of code, such as the body of a function. */
const BLOCK_OPENERS = new Set(['function', 'do', 'if', 'repeat'])
const BLOCK_CLOSERS = new Set(['end', 'until'])

/**
 * The tables in the text that are not inside another table. The key of each is the name to which it is
 * assigned; null if there is none.
 */
export function luaTables(text: string): LuaTable {
  const tokens = luaTokens(text)
  const fields: LuaField[] = []
  for (let index = 0; index < tokens.length; ) {
    const parsedKey = parseKey(tokens, index)
    const valueIndex = parsedKey ? parsedKey.nextIndex : index
    if (isSymbol(tokens[valueIndex], '{')) {
      const { table, nextIndex } = parseTable(tokens, valueIndex + 1)
      fields.push({ key: parsedKey?.key ?? null, value: table })
      index = nextIndex
    } else index++
  }
  return fields
}

/**
 * Parses a table; `startIndex` is the index of the first token after the opening brace. If the text is
 * truncated, the table ends where the text ends.
 */
function parseTable(tokens: readonly LuaToken[], startIndex: number): { table: LuaTable; nextIndex: number } {
  const table: LuaField[] = []
  let index = startIndex
  while (index < tokens.length && !isSymbol(tokens[index], '}')) {
    if (isSymbol(tokens[index], ',') || isSymbol(tokens[index], ';')) {
      index++
      continue
    }
    const parsedKey = parseKey(tokens, index)
    const { value, nextIndex } = parseValue(tokens, parsedKey ? parsedKey.nextIndex : index)
    table.push({ key: parsedKey?.key ?? null, value })
    index = nextIndex
  }
  return { table, nextIndex: index + 1 }
}

/** Parses a key: `name =` or `['name'] =`, but not `name ==`; null if there is none. */
function parseKey(tokens: readonly LuaToken[], index: number): { key: string; nextIndex: number } | null {
  const [first, second, third, fourth, fifth] = tokens.slice(index, index + 5)
  if (first?.kind === 'name' && isSymbol(second, '=') && !isSymbol(third, '=')) {
    return { key: first.text, nextIndex: index + 2 }
  }
  const hasBracketedKey =
    isSymbol(first, '[') && isSymbol(third, ']') && isSymbol(fourth, '=') && !isSymbol(fifth, '=')
  return hasBracketedKey && second?.kind === 'string' ? { key: second.text, nextIndex: index + 4 } : null
}

function parseValue(
  tokens: readonly LuaToken[],
  index: number,
): { value: LuaField['value']; nextIndex: number } {
  const firstToken = tokens[index]
  const nextIndex = expressionEnd(tokens, index)
  // A string that is followed by an operator such as `..` is an expression, so its value is null.
  if (firstToken?.kind === 'string' && nextIndex === index + 1) return { value: firstToken.text, nextIndex }
  if (isSymbol(firstToken, '{')) {
    const nestedTable = parseTable(tokens, index + 1)
    return { value: nestedTable.table, nextIndex: Math.max(nextIndex, nestedTable.nextIndex) }
  }
  return { value: null, nextIndex }
}

/**
 * The index of the comma, semicolon or closing brace that ends the expression beginning at `startIndex`, or
 * of the end of the text; at least `startIndex + 1`.
 */
function expressionEnd(tokens: readonly LuaToken[], startIndex: number): number {
  let depth = 0
  let index = startIndex
  for (; index < tokens.length; index++) {
    const { kind, text } = tokens[index]!
    if (kind === 'string') continue
    if (depth === 0 && index > startIndex && (text === ',' || text === ';')) break
    if (depth === 0 && text === '}') break
    if (OPENING_BRACKETS.has(text) || BLOCK_OPENERS.has(text)) depth++
    if (CLOSING_BRACKETS.has(text) || BLOCK_CLOSERS.has(text)) depth--
  }
  return Math.max(index, startIndex + 1)
}

const isSymbol = (token: LuaToken | undefined, text: string) =>
  token?.kind === 'symbol' && token.text === text

function luaTokens(text: string): LuaToken[] {
  const tokens: LuaToken[] = []
  for (const [, , , longString, doubleQuoted, singleQuoted, name, symbol] of text.matchAll(LUA_TOKEN)) {
    const quotedString = doubleQuoted ?? singleQuoted
    if (quotedString !== undefined)
      tokens.push({ kind: 'string', text: quotedString.replace(/\\(.)/gs, '$1') })
    else if (longString !== undefined) tokens.push({ kind: 'string', text: longString })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
  }
  return tokens
}
