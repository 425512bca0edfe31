/** Lists the objects of a bucket by the beginning of their names. */
import type { S3Requests } from './s3-requests.ts'
import { decodedKey, elementsOf, textOf } from './s3-xml.ts'
import type { ListedObject } from './storage.ts'

export async function* listObjects({ send }: S3Requests, prefix: string): AsyncGenerator<ListedObject> {
  for (let token: string | undefined; ; ) {
    const query = { 'list-type': '2', 'encoding-type': 'url', prefix }
    const answer = await send({
      method: 'GET',
      query: token === undefined ? query : { ...query, 'continuation-token': token },
    })
    const xml = await answer.text()
    for (const entry of elementsOf(xml, 'Contents')) {
      const at = Date.parse(textOf(entry, 'LastModified') ?? '')
      const [name, size] = [decodedKey(textOf(entry, 'Key') ?? ''), Number(textOf(entry, 'Size'))]
      yield { name, size, changedAt: at, writtenAt: at }
    }
    token = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : undefined
    if (token === undefined) return
  }
}
