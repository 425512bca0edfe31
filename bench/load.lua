-- Load for wrk: random choice among the addresses listed in a file, one line each: path and headers, parted by tabs.
-- Requests are built once: building them anew would make wrk, not the server, the slower side.
local requests = {}
local count = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, rest = line:match('^([^\t]*)(.*)$')
    local headers = {}
    for name, value in rest:gmatch('\t([^:\t]+): ([^\t]*)') do headers[name] = value end
    count = count + 1
    requests[count] = wrk.format('GET', path, headers)
  end
  math.randomseed(tonumber(args[2]))
end

function request()
  return requests[math.random(count)]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"us":%d,"bytes":%.0f,"p50us":%d,"p99us":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    e.status, e.connect + e.read + e.write + e.timeout))
end
