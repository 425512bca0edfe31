"""Fundus client for Python 3.9 and later, in one file, without dependencies. See README.md beside it.

    from fundus import Fundus
    client = Fundus('https://media.example.org', 'media_...')
    with open('brot.png', 'rb') as file:
        print(client.upload('items/brot.png', file)['url'])
"""

import base64
import io
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

ATTEMPTS = 5
FIRST_PAUSE = 0.5
# Statuses with which another attempt may succeed; 0: no answer came.
PASSING = {0, 408, 423, 429, 500, 502, 503, 504}
# Above this size a file is sent in pieces, and goes on where the line broke.
RESUMABLE_BYTES = 16 * 1024 * 1024
PIECE_BYTES = 8 * 1024 * 1024


class FundusError(Exception):
    """A refusal: `status` (0: no answer came), `code` (a stable English word, see docs/api.md), the German sentence."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code


class Fundus:
    def __init__(self, url, token, attempts=ATTEMPTS, timeout=60):
        self.url = url.rstrip('/')
        self.token = token
        self.attempts = attempts
        self.timeout = timeout

    def upload(self, path, content, mime=None, overwrite=True):
        """Stores bytes or an open binary file that can seek. Path None: the service makes one from the content."""
        file = io.BytesIO(content) if isinstance(content, (bytes, bytearray, memoryview)) else content
        start = file.tell()
        size = file.seek(0, os.SEEK_END) - start
        if size > RESUMABLE_BYTES and path is not None:
            return self._upload_pieces(path, file, start, size, mime, overwrite)
        headers = {'Content-Type': 'application/octet-stream', 'Content-Length': str(size)}
        if path is not None:
            headers['X-Path'] = path
        if mime is not None:
            headers['X-Mime'] = mime
        if not overwrite:
            headers['X-Overwrite'] = 'false'

        def body():
            file.seek(start)
            return file

        return self._json('POST', '/api/upload', headers, body)

    def exists(self, path):
        """A dict with `exists`, `url`, and `size`, `sha256`, `updated_at` where it exists."""
        return self._json('GET', '/api/exists?' + urllib.parse.urlencode({'pfad': path}))

    def delete(self, path):
        """For good, without the trash. The token needs the right to delete."""
        return self._json('DELETE', '/api/media/' + urllib.parse.quote(path))

    def list(self, **query):
        """One page of files; the token needs the right to read. Queries as in docs/api.md: ordner, suche, seite, anzahl."""
        return self._json('GET', '/api/dateien?' + urllib.parse.urlencode(query))

    def ticket(self, **order):
        """An address for uploads without the token. Fields as in docs/api.md: pfad or ordner, anzahl, gueltig_s, arten."""
        headers = {'Content-Type': 'application/json'}
        return self._json('POST', '/api/tickets', headers, lambda: json.dumps(order).encode())

    def _upload_pieces(self, path, file, start, size, mime, overwrite):
        """tus 1.0.0: after each failure asks how much has arrived and goes on from there."""
        metadata = {'pfad': path, 'filetype': mime, 'ueberschreiben': 'true' if overwrite else 'false'}
        pairs = [f'{key} {base64.b64encode(value.encode()).decode()}' for key, value in metadata.items() if value]
        created = self._call(
            'POST',
            '/api/tus',
            {'Tus-Resumable': '1.0.0', 'Upload-Length': str(size), 'Upload-Metadata': ','.join(pairs)},
        )
        address = urllib.parse.urljoin(self.url + '/api/tus', created.headers['Location'])
        offset = 0
        failures = 0
        while True:
            file.seek(start + offset)
            piece = file.read(PIECE_BYTES)
            if not piece:
                raise OSError('the file has become shorter during the upload')
            headers = {
                'Tus-Resumable': '1.0.0',
                'Upload-Offset': str(offset),
                'Content-Type': 'application/offset+octet-stream',
            }
            try:
                answer = self._send('PATCH', address, headers, piece)
            except FundusError as error:
                failures += 1
                # Another place is next; a path that was taken meanwhile is 409 too, with another code.
                is_out_of_step = error.status == 409 and (error.code or '').startswith('tus-')
                if not (error.status in PASSING or is_out_of_step) or failures >= self.attempts:
                    raise
                time.sleep(FIRST_PAUSE * 2 ** (failures - 1))
                answer = self._call('HEAD', address, {'Tus-Resumable': '1.0.0'})
            arrived = int(answer.headers['Upload-Offset'])
            if arrived > offset:
                failures = 0
            offset = arrived
            if offset >= size:
                return {'path': answer.headers['X-Pfad'], 'url': answer.headers['X-Url'], 'size': size}

    def _json(self, method, address, headers=None, body=lambda: None):
        return json.loads(self._call(method, address, headers, body).body)

    def _call(self, method, address, headers=None, body=lambda: None):
        """With further attempts; `body` is called for each of them."""
        for attempt in range(1, self.attempts + 1):
            try:
                return self._send(method, address, headers or {}, body())
            except FundusError as error:
                if error.status not in PASSING or attempt == self.attempts:
                    raise
                time.sleep(getattr(error, 'retry_after', None) or FIRST_PAUSE * 2 ** (attempt - 1))

    def _send(self, method, address, headers, body):
        url = address if address.startswith('http') else self.url + address
        request = urllib.request.Request(url, data=body, method=method, headers=dict(headers))
        request.add_unredirected_header('Authorization', 'Bearer ' + self.token)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return Answer(answer.headers, answer.read())
        except urllib.error.HTTPError as refused:
            raise problem_of(refused) from None
        except OSError:
            raise FundusError(0, None, 'Der Dienst ist nicht erreichbar.') from None


class Answer:
    def __init__(self, headers, body):
        self.headers = headers
        self.body = body


def problem_of(refused):
    try:
        message = json.loads(refused.read())['error']
    except (ValueError, KeyError, TypeError, OSError):
        message = f'Status {refused.code}.'
    error = FundusError(refused.code, refused.headers.get('X-Fehler-Code'), message)
    pause = refused.headers.get('Retry-After', '')
    error.retry_after = int(pause) if pause.isdigit() else None
    return error
