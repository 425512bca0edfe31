/**
 * The inline script of the API page, which the Content-Security-Policy allows by its hash. It calls only the
 * service that sent the page, and shows answers as text, never as markup.
 */
export const TRY_SCRIPT = `
const MAX_SHOWN_CHARACTERS = 20000
const token = document.getElementById('token')

function requestOf(form) {
  const query = new URLSearchParams()
  const headers = new Headers()
  const fields = new FormData()
  let path = form.dataset.path
  let body
  for (const field of form.elements) {
    const { name, value, files } = field
    const place = field.dataset.in
    if (place === 'path') path = path.replace('{' + name + '}', value.split('/').map(encodeURIComponent).join('/'))
    else if (!place || value === '') continue
    else if (place === 'query') query.set(name, value)
    else if (place === 'header') headers.set(name, value)
    else if (place === 'body') body = files[0]
    else if (place === 'json') {
      headers.set('Content-Type', 'application/json')
      body = value
    } else {
      for (const each of files ?? [value]) fields.append(name, each)
      body = place === 'multipart' ? fields : new URLSearchParams(fields)
    }
  }
  if ('token' in form.dataset && token.value !== '') headers.set('Authorization', 'Bearer ' + token.value)
  const address = path + (query.size > 0 ? '?' + query : '')
  return [address, { method: form.dataset.method, headers, body }]
}

async function showAnswer(answer, output) {
  const type = answer.headers.get('Content-Type') ?? ''
  const head = answer.status + ' ' + answer.statusText + '\\n' + type + '\\n\\n'
  if (!answer.body || !/json|text|xml/.test(type)) {
    output.textContent = head + (await answer.arrayBuffer()).byteLength + ' ' + output.dataset.bytes
    return
  }
  // Read in chunks, because an event stream never ends.
  let text = ''
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    text += value ?? ''
    output.textContent = head + text.slice(0, MAX_SHOWN_CHARACTERS)
    if (done) break
    if (text.length > MAX_SHOWN_CHARACTERS) return reader.cancel()
  }
  if (type.includes('json') && text !== '') output.textContent = head + JSON.stringify(JSON.parse(text), null, 2).slice(0, MAX_SHOWN_CHARACTERS)
}

for (const form of document.forms) {
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const output = form.querySelector('output')
    output.textContent = '…'
    try {
      await showAnswer(await fetch(...requestOf(form)), output)
    } catch (error) {
      output.textContent = String(error)
    }
  })
}
`
