# Reads all members, creates a prayer request safely, and follows the changes. Needs only Ruby 3.
require 'json'
require 'net/http'
require 'securerandom'

$stdout.sync = true

def call(method, path, body: nil, attempts: 5, **query)
  uri = URI("#{ENV.fetch('API_URL', 'http://127.0.0.1:4000')}/v1#{path}?#{URI.encode_www_form(query)}")
  headers = { 'X-Api-Key' => ENV.fetch('API_KEY'), 'Content-Type' => 'application/json' }
  # The same for all attempts: the write happens once.
  headers['Idempotency-Key'] = SecureRandom.uuid if method != :get
  1.upto(attempts) do |attempt|
    response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', read_timeout: 60) do |http|
      http.send_request(method.to_s.upcase, uri.request_uri, body && JSON.generate(body), headers)
    end
    return JSON.parse(response.body) if response.code < '400'
    is_transient = %w[429 500 503].include?(response.code) && attempt < attempts
    abort("#{response.code}: #{JSON.parse(response.body)['error']['message']}") unless is_transient
    sleep((response['Retry-After'] || attempt).to_i)
  rescue SystemCallError, Net::OpenTimeout, Net::ReadTimeout, EOFError
    raise if attempt == attempts
    sleep(attempt)
  end
end

def pages(path, cursor: '', **query)
  loop do
    page = call(:get, path, cursor: cursor, **query)
    cursor = page['pagination']['next_cursor']
    yield page['data'], cursor
    break unless page['pagination']['has_more']
  end
end

count = 0
pages('/members', limit: 100) { |members| count += members.size }
puts "#{count} members"
puts "created: #{call(:post, '/prayer-requests', body: { description: 'Rain for the fields' })['data']['status']}"
cursor = '' # Store it: the next run continues from it.
loop do
  pages('/changes', cursor: cursor, limit: 100, wait: 20) do |changes, following|
    changes.each { |change| puts change.values_at('operation', 'resource', 'id').join(' ') }
    cursor = following
  end
end
