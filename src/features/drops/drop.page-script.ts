/**
 * The script of the drop page, inline and allowed by its hash. It calls only the address of the page, and
 * writes names and sentences as text, never as markup.
 */
export const DROP_SCRIPT = `
const AT_ONCE = 2
const TRIES = 12
const root = document.getElementById('drop')
const words = JSON.parse(root.dataset.words)
const sentences = JSON.parse(root.dataset.sentences)
const largest = Number(root.dataset.largest)
const zone = document.getElementById('zone')
const list = document.getElementById('files')
const status = document.getElementById('status')
const template = document.getElementById('file')
const queue = []
let sending = 0
let arrived = 0
let refused = 0

const filled = (text, value) => text.replace('#', value)
const wait = seconds => new Promise(done => setTimeout(done, seconds * 1000))

function addFiles(files) {
  for (const file of files) {
    const row = template.content.firstElementChild.cloneNode(true)
    const part = name => row.querySelector('[data-part=' + name + ']')
    part('name').textContent = file.name
    const entry = { file, row, part, tries: 0 }
    part('again').addEventListener('click', () => {
      entry.tries = 0
      refused--
      enqueue(entry)
      part('name').focus()
    })
    list.append(row)
    if (file.size > largest) refuse(entry, filled(words.tooLarge, root.dataset.largestText), false)
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
  proceed()
}

function proceed() {
  while (sending < AT_ONCE && queue.length > 0) {
    sending++
    send(queue.shift()).finally(() => {
      sending--
      proceed()
      report()
    })
  }
  report()
}

function report() {
  const busy = sending > 0 || queue.length > 0
  root.dataset.busy = busy
  if (busy) return
  const thanks = arrived === 0 ? '' : arrived === 1 ? words.thanksOne : filled(words.thanksMany, arrived)
  const rest = refused === 0 ? '' : filled(words.someRefused, refused)
  const text = [thanks, rest].filter(Boolean).join(' ')
  if (status.textContent !== text) status.textContent = text
}

function refuse(entry, sentence, again) {
  refused++
  show(entry, again ? 'failed' : 'refused', sentence)
  report()
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
      show(entry, 'sending', filled(words.sending, percent))
    }
    request.onload = () => done(request)
    request.onerror = request.onabort = () => done(null)
    request.send(form)
  })
}

async function send(entry) {
  show(entry, 'sending', filled(words.sending, 0))
  for (;;) {
    const request = await post(entry)
    const answer = request && request.response
    entry.tries++
    if (request && request.status === 200 && answer && answer.gespeichert.length > 0) {
      arrived++
      return show(entry, 'done', words.done)
    }
    const why = answer && answer.abgelehnt ? answer.abgelehnt[0] : null
    const code = why ? why.code : request && request.getResponseHeader('X-Fehler-Code')
    const mayPass = code === 'drops-crowded' || code === 'path-taken' || code === 'connections-crowded'
    if (mayPass && entry.tries < TRIES) {
      show(entry, 'waiting', words.waiting)
      await wait(Math.min(Number(request.getResponseHeader('Retry-After')) || 1, 30))
      continue
    }
    const known = sentences[code] || (why && why.grund) || (answer && answer.error)
    return refuse(entry, known || words.failed, mayPass || !why && !(request && request.status < 500 && answer))
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
