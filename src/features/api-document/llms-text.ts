/** `/llms.txt` (llmstxt.org): an overview of the service and its API for language models, in Markdown. */
import { TICKETS_ROUTE } from '../../contract/paths/addresses.ts'
import { TUS_ROUTE } from '../../contract/upload/tus-wire.ts'

export function llmsText({
  service: serviceName,
  publicUrl,
}: {
  service: string
  publicUrl: string
}): string {
  return `# ${serviceName}

> A media host (Fundus). A file is stored under a path that its uploader chose; everybody can read it at \
${publicUrl}/f/<path>.

Errors are JSON, \`{"error": "<one German sentence>"}\`, with a stable English code in the header \`X-Fehler-Code\`. \
Words on the wire are German. Sizes are bytes, times milliseconds since 1970. A path has at most 8 segments and 200 \
characters; a segment begins with an ASCII letter or digit and holds letters, digits, \`.\`, \`-\` and \`_\`. \
CORS is open, except below \`/api/dash\`.

## Which way to upload

- A program on your own server: \`POST /api/upload\`, \`Authorization: Bearer media_…\`, \`X-Path: <path>\`, the bytes as body. \
The answer has \`url\`, \`path\`, \`size\`, \`sha256\`.
- A program on somebody else's machine must not get the token: your server asks \`POST ${TICKETS_ROUTE}\` for an address, \
the program sends \`POST\` or \`PUT\` to it, without a key.
- People without an account: a drop link, \`/u/<key>\`, made in the dashboard.
- Long files, bad lines, a proxy with a size limit: tus 1.0.0 at \`${TUS_ROUTE}\` with the token, or at \`<ticket address>/tus\`.

## With a token

- \`GET /api/exists?pfad=<path>\`: whether a file exists, its size and SHA-256
- \`DELETE /api/media/<path>\`: deletes for good
- \`GET /api/dateien?ordner=&suche=\`: lists files, if the token may read
- \`POST /api/image\`, \`/api/video\`, \`/api/audio\`, \`/api/v3/file\`: as Fivemanage's; presigned addresses do not exist

## API

- [OpenAPI 3.1](${publicUrl}/api/openapi.json): every route with its input and answers
- [API reference](${publicUrl}/api/docs?sprache=en): the same for people, to try out
- [Status](${publicUrl}/status): whether the service works
`
}
