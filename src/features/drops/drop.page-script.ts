import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'

/**
 * The inline script of the drop page, allowed by its hash in the Content-Security-Policy. It sends requests
 * only to the address of the page, and inserts names and sentences as text, never as markup.
 */
export const DROP_SCRIPT = `
const MAX_CONCURRENT = 2
const MAX_TRIES = 12
const root = document.getElementById('drop')
const words = JSON.parse(root.dataset.words)
const sentences = JSON.parse(root.dataset.sentences)
const maxSize = Number(root.dataset.largest)
const zone = document.getElementById('zone')
const fileList = document.getElementById('files')
const status = document.getElementById('status')
const template = document.getElementById('file')
const queue = []
let sendingCount = 0
let storedCount = 0
let refusedCount = 0

const fillIn = (text, value) => text.replace('#', value)
const wait = seconds => new Promise(done => setTimeout(done, seconds * 1000))

function addFiles(files) {
  for (const file of files) {
    const row = template.content.firstElementChild.cloneNode(true)
    const part = name => row.querySelector('[data-part=' + name + ']')
    part('name').textContent = file.name
    const entry = { file, row, part, tries: 0 }
    part('again').addEventListener('click', () => {
      entry.tries = 0
      refusedCount--
      enqueue(entry)
      part('name').focus()
    })
    fileList.append(row)
    if (file.size > maxSize) refuse(entry, fillIn(words.tooLarge, root.dataset.largestText), false)
    else enqueue(entry)
  }
  root.classList.add('has-files')
}

function show({ row, part }, state, text) {
  row.dataset.state = state
  part('state').textContent = text
  part('bar').hidden = state !== 'sending' && state !== 'waiting'
  part('again').hidden = state !== 'failed'
}

function enqueue(entry) {
  show(entry, 'waiting', words.waiting)
  entry.part('bar').removeAttribute('value')
  queue.push(entry)
  sendQueued()
}

function sendQueued() {
  while (sendingCount < MAX_CONCURRENT && queue.length > 0) {
    sendingCount++
    send(queue.shift()).finally(() => {
      sendingCount--
      sendQueued()
      showResult()
    })
  }
  showResult()
}

function showResult() {
  const isBusy = sendingCount > 0 || queue.length > 0
  root.dataset.busy = isBusy
  if (isBusy) return
  const thanks = storedCount === 0 ? '' : storedCount === 1 ? words.thanksOne : fillIn(words.thanksMany, storedCount)
  const refusals = refusedCount === 0 ? '' : fillIn(words.someRefused, refusedCount)
  const text = [thanks, refusals].filter(Boolean).join(' ')
  if (status.textContent !== text) status.textContent = text
}

function refuse(entry, sentence, canRetry) {
  refusedCount++
  show(entry, canRetry ? 'failed' : 'refused', sentence)
  showResult()
}

function post(entry) {
  return new Promise(done => {
    const form = new FormData()
    form.append('file', entry.file, entry.file.name)
    const request = new XMLHttpRequest()
    request.open('POST', location.pathname)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => {
      const percent = Math.floor((100 * loaded) / total)
      entry.part('bar').value = percent
      show(entry, 'sending', fillIn(words.sending, percent))
    }
    request.onload = () => done(request)
    request.onerror = request.onabort = () => done(null)
    request.send(form)
  })
}

async function send(entry) {
  show(entry, 'sending', fillIn(words.sending, 0))
  for (;;) {
    const request = await post(entry)
    const answer = request && request.response
    entry.tries++
    if (request && request.status === 200 && answer && answer.gespeichert.length > 0) {
      storedCount++
      return show(entry, 'done', words.done)
    }
    const why = answer && answer.abgelehnt ? answer.abgelehnt[0] : null
    const code = why ? why.code : request && request.getResponseHeader('${ERROR_CODE_HEADER}')
    const isTemporary = code === 'drops-crowded' || code === 'path-taken' || code === 'connections-crowded'
    if (isTemporary && entry.tries < MAX_TRIES) {
      show(entry, 'waiting', words.waiting)
      await wait(Math.min(Number(request.getResponseHeader('Retry-After')) || 1, 30))
      continue
    }
    const sentence = sentences[code] || (why && why.grund) || (answer && answer.error)
    return refuse(entry, sentence || words.failed, isTemporary || !why && !(request && request.status < 500 && answer))
  }
}

for (const time of document.querySelectorAll('time'))
  time.textContent = new Date(time.dateTime).toLocaleString(time.dataset.locale, { dateStyle: 'long', timeStyle: 'short' })
for (const input of root.querySelectorAll('input[type=file]'))
  input.addEventListener('change', () => {
    addFiles(input.files)
    input.value = ''
  })
for (const name of ['dragenter', 'dragover'])
  addEventListener(name, event => {
    event.preventDefault()
    zone.classList.add('over')
  })
addEventListener('dragleave', event => {
  if (!event.relatedTarget) zone.classList.remove('over')
})
addEventListener('drop', event => {
  event.preventDefault()
  zone.classList.remove('over')
  addFiles(event.dataTransfer.files)
})
addEventListener('paste', event => addFiles(event.clipboardData.files))
addEventListener('beforeunload', event => {
  if (root.dataset.busy === 'true') event.preventDefault()
})
`
