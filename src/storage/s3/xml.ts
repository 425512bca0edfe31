/** Parses the small part of XML that S3 answers use, by searching, in linear time. */

/** Yields the content of each element with this name; it includes the tags of nested elements. */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [openTag, closeTag] = [`<${name}>`, `</${name}>`]
  for (let position = xml.indexOf(openTag); position >= 0; position = xml.indexOf(openTag, position)) {
    const end = xml.indexOf(closeTag, position)
    if (end < 0) return
    yield xml.slice(position + openTag.length, end)
    position = end + closeTag.length
  }
}

/** The text of the first element with this name. */
export function textOf(xml: string, name: string): string | undefined {
  const [first] = elementsOf(xml, name)
  return first === undefined ? undefined : unescapeXml(first)
}

const unescapeXml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

export const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Decodes a key in a listing with `encoding-type=url`. */
export const decodeKey = (key: string) => decodeURIComponent(key.replaceAll('+', ' '))
