-- Script of the load generator wrk: sends the requests of a file in turn and prints the result as one line of JSON.
-- Requests in the file are separated by a NUL byte, which no HTTP request contains.
local requests = {}
local position = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for request in string.gmatch(file:read('*a'), '[^%z]+') do
    requests[#requests + 1] = request
  end
  file:close()
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('{"calls":%d,"failures":%d,"seconds":%.6f,"p50Ms":%.3f}',
    summary.requests, failures, summary.duration / 1e6, latency:percentile(50) / 1000))
end
