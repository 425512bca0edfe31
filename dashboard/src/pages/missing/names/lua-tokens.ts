/** The smallest pieces of Lua text: strings, names and signs. Comments and numbers are left out or kept as they are. */

export interface Token {
  kind: 'string' | 'name' | 'sign'
  text: string
}

const PIECE =
  /--\[(=*)\[[\s\S]*?\]\1\]|--[^\n]*|\[(=*)\[([\s\S]*?)\]\2\]|"((?:\\[\s\S]|[^"\\\n])*)"|'((?:\\[\s\S]|[^'\\\n])*)'|([A-Za-z_]\w*)|(\d[\w.]*|[^\s\w])/g

export function luaTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (const [, , , long, double, single, name, sign] of text.matchAll(PIECE)) {
    const quoted = double ?? single
    if (quoted !== undefined) tokens.push({ kind: 'string', text: quoted.replace(/\\(.)/gs, '$1') })
    else if (long !== undefined) tokens.push({ kind: 'string', text: long })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
  }
  return tokens
}
